import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/lib/paths.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { reportSkip } from "../support/node/skips.ts";
import { RELEVANCE_QUERIES, type RelevanceQuery, STARTER_QUERIES } from "../support/relevance/queries.ts";

/** 10,000 popular books as a dump; not part of the project. */
const BOOKS = process.env["RELEVANCE_CATALOG"] ?? path.join(ROOT, "../shared/data/goodbooks.txt.gz");
const BOOKS_FROM = 50_000_000;
const READY_SECONDS = 180;
const TIMEOUT_MS = 300_000;
/** Shares of the queries whose work must be among the first three, and the very first. */
const AMONG_FIRST_THREE = 0.95;
const ASKED_AT_ONCE = 8;
const FIRST = 0.85;

test(
  "the starter catalog answers with the right work",
  async () => {
    await withService({ dump: undefined }, async (url) => {
      await expectRelevance(url, "starter catalog", STARTER_QUERIES);
    });
  },
  TIMEOUT_MS,
);

const hasBooks = existsSync(BOOKS);
if (!hasBooks) reportSkip("books");

test.skipIf(!hasBooks)(
  "10,000 popular books answer with the right work",
  async () => {
    const queries = Object.values(RELEVANCE_QUERIES).flat();
    expect(queries.length).toBeGreaterThanOrEqual(120);
    await withService({ dump: BOOKS }, async (url) => {
      const numbered = queries.map(({ q, work }) => ({ q, work: BOOKS_FROM + work }));
      await expectRelevance(url, "popular books", numbered);
    });
  },
  TIMEOUT_MS,
);

/** A service of its own: with the starter catalog, or with a dump in its place. */
async function withService(
  { dump }: { dump: string | undefined },
  run: (url: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-relevance-"));
  const state = path.join(folder, "state");
  const service = ServiceProcess.start(["--state", state, ...(dump === undefined ? [] : ["--empty"])]);
  try {
    const url = await service.ready(READY_SECONDS);
    if (dump !== undefined) {
      const load = [path.join(ROOT, "scripts/load.ts"), dump, "--url", url, "--state", state];
      await promisify(execFile)(process.execPath, load, { cwd: folder, timeout: TIMEOUT_MS });
    }
    await run(url);
    await service.stop("SIGTERM");
  } finally {
    service.kill();
  }
}

async function expectRelevance(
  url: string,
  catalog: string,
  queries: readonly RelevanceQuery[],
): Promise<void> {
  const ranks: number[] = [];
  const missed: string[] = [];
  for (let from = 0; from < queries.length; from += ASKED_AT_ONCE) {
    const part = queries.slice(from, from + ASKED_AT_ONCE);
    for (const [index, rank] of (await Promise.all(part.map((query) => rankOf(url, query)))).entries()) {
      ranks.push(rank);
      if (rank !== 1) missed.push(`${part[index]?.q} (${rank === 0 ? "not found" : rank})`);
    }
  }
  const share = (fits: (rank: number) => boolean) => ranks.filter(fits).length / ranks.length;
  const first = share((rank) => rank === 1);
  const amongThree = share((rank) => rank >= 1 && rank <= 3);
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
  console.log(
    `relevance, ${catalog}: ${queries.length} queries, ${percent(first)} first, ${percent(amongThree)} in the first 3` +
      (missed.length === 0 ? "" : `; not first: ${missed.join("; ")}`),
  );
  expect(amongThree, missed.join("; ")).toBeGreaterThanOrEqual(AMONG_FIRST_THREE);
  expect(first, missed.join("; ")).toBeGreaterThanOrEqual(FIRST);
}

/** Place of the wanted work from 1; 0 when it is not among the first twenty. */
async function rankOf(url: string, { q, work }: RelevanceQuery): Promise<number> {
  const answer = await fetch(`${url}/search.json?q=${encodeURIComponent(q)}&limit=20&fields=key`);
  // Shape of a search answer, of which only the keys are looked at.
  const { docs } = (await answer.json()) as { docs: { key: string }[] };
  return docs.findIndex(({ key }) => key === `/works/OL${work}W`) + 1;
}
