import { writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Lines that a run of tests prints about programs and files that are missing. */
const LINES = {
  chromium: "skipped: no Chromium, pages are not tested in a browser",
  jing: "skipped: no jing (apt-get install jing), XML is not validated",
  postgres: "skipped: no PostgreSQL (apt-get install postgresql), the catalog is not tested in it",
  documents:
    "skipped: no python3, pymarc, sickle, feedparser, reconciler or yaz-client, their examples are not run",
  requests: "skipped: no requests (pip install requests), the samples of the reference are not run in Python",
  books: "skipped: no ../shared/data/goodbooks.txt.gz, the ranking of 10,000 popular books is not tested",
};

/** Prints which tests are skipped and what is missing, once in a run of Vitest. */
export function reportSkip(missing: keyof typeof LINES): void {
  reportOnce(missing, LINES[missing]);
}

/** Prints that tests with Solr are skipped, once in a run of Vitest. */
export function reportSolrSkip(reason: string): void {
  reportOnce("solr", `skipped: no Solr, searches are not tested with it. ${reason}`);
}

function reportOnce(name: string, line: string): void {
  try {
    // All processes of a run share the folder for temporary files.
    writeFileSync(path.join(os.tmpdir(), `skipped-${name}`), "", { flag: "wx" });
  } catch {
    return;
  }
  // Vitest shows what tests write to the console beside failed tests only.
  process.stderr.write(`${line}\n`);
}
