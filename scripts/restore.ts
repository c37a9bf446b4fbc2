// Makes a service of a backup: docs/operations.md, "Backup and restore".
import { existsSync } from "node:fs";
import path from "node:path";
import { readIdentity } from "./lib/backup-files.ts";
import { restore } from "./lib/change-log.ts";
import { readOptions, runCommand } from "./lib/command.ts";
import { checkIndex, updateIndex } from "./lib/index-client.ts";
import { ProgressBar, counted } from "./lib/progress-bar.ts";
import { RestoreClient } from "./lib/restore-client.ts";
import { TARGET_HELP, TARGET_OPTIONS, call, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run restore -- DIR [options]

Restores a backup into an empty service (locally: npm start -- --bare) and builds its search index. Records, revisions,
changes and their numbers, accounts and the data of patrons are as they were. An interrupted restore resumes. At the end,
index and counts are compared with their sources.

  --identity FILE   the secret key of age, if the backup is encrypted
  --removed FILE    tables/patrons.removed_account.jsonl.gz of a newer backup: accounts removed since are left out
  --catalog-only    no patrons and no files, for a catalog that moves to another database
  --no-index        leave the search index to the service, or to npm run reindex
${TARGET_HELP}`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    ...TARGET_OPTIONS,
    identity: { type: "string" },
    removed: { type: "string", multiple: true, default: [] },
    "catalog-only": { type: "boolean", default: false },
    "no-index": { type: "boolean", default: false },
  },
});

async function main() {
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0) return console.log(HELP);
  const folder = path.resolve(given);
  const target = await targetOf(values);
  const bar = new ProgressBar("changes");
  const onProgress = (label: string, share: number, count: number) => {
    bar.label = label;
    bar.update(share, count);
  };
  const { stored, end } = await restore(folder, target, ({ cursor, end: last }) =>
    onProgress("changes", cursor / last, cursor),
  );
  console.log(`${target.url}: has all changes up to ${end}, ${stored} of them stored now`);
  const { removed } = values;
  const identity = await readIdentity(values.identity);
  const catalogOnly = values["catalog-only"];
  const rest = await new RestoreClient(target, { folder, catalogOnly, identity, removed, onProgress }).run();
  bar.done();
  if (rest !== undefined) {
    const { rows, patrons, desks, files, removed: again } = rest;
    console.log(
      `restored ${counted(rows, "row")}, ${counted(patrons, "patron")}, ${counted(desks, "lent item")} and ${counted(files, "file")}`,
    );
    if (again > 0) console.log(`removing again: ${counted(again, "account")}`);
  } else if (existsSync(path.join(folder, "patrons.sql"))) {
    console.log(
      "patrons.sql and catalog-tables.sql are of an earlier version: docs/operations.md says how they are restored",
    );
  }
  if (values["no-index"]) return;
  await updateIndex(target);
  await checkIndex(target, { shadow: false });
  await checkCounts();
}

/** Compares the counts of patrons' activity with their rows, and repairs them. */
async function checkCounts() {
  const target = await targetOf(values);
  let wrong = 0;
  for (const part of ["works", "days"]) {
    for (let from: number | null = 0; from !== null;) {
      const json: object = { action: "recount", part, from, repair: true };
      const answer: { wrong: number[]; next: number | null } = await call(target, "/system/activity", {
        method: "POST",
        json,
      });
      wrong += answer.wrong.length;
      from = answer.next;
    }
  }
  console.log(`counts of shelves and ratings: ${wrong} repaired`);
}

await runCommand(main, "Stopped. The same command goes on from here.");
