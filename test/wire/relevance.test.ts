import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/lib/paths.mjs";
import { HOST } from "../../scripts/lib/runtime.mjs";
import { ServiceProcess, freePorts } from "../../scripts/lib/service-process.mjs";
import { RELEVANCE_QUERIES, type RelevanceQuery } from "../support/relevance/queries.ts";

/** 10,000 popular books as a dump; not part of the project. */
const CATALOG = process.env["RELEVANCE_CATALOG"] ?? path.join(ROOT, "../shared/data/goodbooks.txt.gz");
const READY_SECONDS = 60;
const LOAD_TIMEOUT_MS = 240_000;
/** Shares of the queries whose work must be among the first three, and the very first. */
const AMONG_FIRST_THREE = 0.95;
const FIRST = 0.85;

const hasCatalog = existsSync(CATALOG);
if (!hasCatalog) console.log("relevance: skipped, because the catalog of 10,000 popular books is not here");

describe.skipIf(!hasCatalog)("relevance over 10,000 popular books", () => {
  let folder = "";
  let url = "";
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "carrel-relevance-"));
    const [main = 0, ...others] = await freePorts(4);
    url = `http://${HOST}:${main}`;
    const state = path.join(folder, "state");
    const flags = ["--record-store-port", "--search-port", "--cover-store-port"];
    const ports = flags.flatMap((flag, index) => [flag, String(others[index])]);
    const start = ["scripts/start.mjs", "--empty", "--state", state, "--port", String(main), ...ports];
    service = new ServiceProcess(process.execPath, start, {});
    await service.ready(READY_SECONDS);
    const load = [path.join(ROOT, "scripts/load.mjs"), CATALOG, "--url", url, "--state", state];
    await promisify(execFile)(process.execPath, load, { cwd: folder, timeout: LOAD_TIMEOUT_MS });
  }, LOAD_TIMEOUT_MS);

  afterAll(async () => {
    await service?.stop("SIGTERM").finally(() => service?.kill());
    await rm(folder, { recursive: true, force: true });
  });

  test(
    "the right work comes first, or nearly",
    async () => {
      const queries = Object.entries(RELEVANCE_QUERIES).flatMap(([kind, list]) =>
        list.map((query) => ({ kind, ...query })),
      );
      const ranks: number[] = [];
      const missed: string[] = [];
      for (const query of queries) {
        const rank = await rankOf(url, query);
        ranks.push(rank);
        if (rank !== 1) missed.push(`${query.kind}: ${query.q} (${rank === 0 ? "not found" : rank})`);
      }
      const share = (fits: (rank: number) => boolean) => ranks.filter(fits).length / ranks.length;
      const first = share((rank) => rank === 1);
      const amongThree = share((rank) => rank >= 1 && rank <= 3);
      const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
      console.log(
        `relevance: ${queries.length} queries, ${percent(first)} first, ${percent(amongThree)} in the first 3`,
      );
      if (missed.length > 0) console.log(`not first: ${missed.join("; ")}`);
      expect(queries.length).toBeGreaterThanOrEqual(120);
      expect(amongThree, missed.join("; ")).toBeGreaterThanOrEqual(AMONG_FIRST_THREE);
      expect(first, missed.join("; ")).toBeGreaterThanOrEqual(FIRST);
    },
    LOAD_TIMEOUT_MS,
  );
});

/** Place of the wanted work from 1; 0 when it is not among the first twenty. */
async function rankOf(url: string, { q, work }: RelevanceQuery): Promise<number> {
  const answer = await fetch(`${url}/search.json?q=${encodeURIComponent(q)}&limit=20&fields=key`);
  // Shape of a search answer, of which only the keys are looked at.
  const { docs } = (await answer.json()) as { docs: { key: string }[] };
  return docs.findIndex(({ key }) => key === `/works/OL${50_000_000 + work}W`) + 1;
}
