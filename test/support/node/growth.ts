import { readFileSync } from "node:fs";
import path from "node:path";
import { TIME, catalogLines } from "../../../bench/lib/catalog.ts";
import { type Instance, TOKEN, startCarrel } from "../../../bench/lib/instances.ts";
import { setUpPostgres } from "../../../scripts/lib/postgres-setup.ts";
import { startPostgres } from "../../../scripts/lib/postgres.ts";
import { updateIndex } from "../../../scripts/lib/index-client.ts";
import { ROOT } from "../../../scripts/lib/paths.ts";
import { sendLines } from "../../../scripts/lib/load-client.ts";
import { freePorts } from "../../../scripts/lib/service-process.ts";
import { runtimeTarget, seed } from "../../../scripts/lib/state.ts";
import { interfaceLines } from "./interface-lines.ts";
import { InterfaceWorld } from "./interface-world.ts";
import { PLAN_SETTINGS, logPlans, rowsLookedAt } from "./postgres-plans.ts";

export type Engine = "D1" | "PostgreSQL";

/** Requests beyond the examples of test/wire/interface.md: queries without an index, and pages of results. */
const MORE = [
  '/query.json?query={"type":"/type/edition","number_of_pages":"17"}',
  '/query.json?query={"type":"/type/work","sort":"-last_modified","limit":"5"}',
  '/query.json?query={"type":"/type/work","title~":"The river*"}',
  '/query.json?query={"type":"/type/author","limit":"20","offset":"40"}',
  "/recentchanges.json?bot=false&limit=20",
  "/recentchanges.json?bot=true&limit=20",
  "/recentchanges/add-book.json?limit=20",
  '/api/versions?query={"limit":"20"}',
  '/api/versions?query={"bot":"false","limit":"20"}',
  "/languages.json?limit=100",
  "/stats.json",
  "/sitemap.xml",
];
/** Keys of the made-up catalog begin above those of the starter catalog. */
const ABOVE = 100_000;

/** Most rows that each statement of the catalog has looked at while a service of so many works was asked for everything. */
export async function lookedAt(engine: Engine, works: number): Promise<ReadonlyMap<string, number>> {
  const postgres = engine === "D1" ? undefined : await startPostgres({ settings: PLAN_SETTINGS });
  const [port = 0] = await freePorts(1);
  if (postgres !== undefined) await setUpPostgres(postgres.url);
  const main = "test/support/worker/looked-at.ts";
  const carrel = await startCarrel(port, { main, catalog: postgres?.url });
  try {
    await fill(carrel, works);
    await (postgres === undefined ? told(carrel) : logPlans(postgres.url));
    await askAll(carrel);
    return await (postgres === undefined ? told(carrel) : rowsLookedAt(postgres.url));
  } finally {
    await carrel.stop();
    await postgres?.stop();
  }
}

async function fill({ runtime, state }: Instance, works: number): Promise<void> {
  const target = runtimeTarget(runtime, TOKEN);
  await seed(runtime, { state, choice: { content: "starter", development: true }, token: TOKEN });
  await sendLines(loadedLines(works), target);
  // Else it would be brought up to date meanwhile.
  await updateIndex(target, { quiet: true });
}

/** Records beside those of the starter catalog, each of a time of its own. */
function* loadedLines(works: number): Generator<string> {
  let number = 0;
  for (const line of catalogLines(works)) {
    const time = `2026-01-01T00:00:00.${String((number += 1)).padStart(6, "0")}`;
    yield line
      .replaceAll(TIME, time)
      .replace(/\bOL(\d+)([AMW])\b/g, (_all, id, kind) => `OL${ABOVE + Number(id)}${kind}`);
  }
}

async function askAll({ url }: Instance): Promise<void> {
  const world = new InterfaceWorld(url, TOKEN);
  await world.prepare();
  for (const line of interfaceLines()) await (await world.call(line)).arrayBuffer();
  for (const target of MORE) {
    const response = await fetch(url + target);
    if (response.status >= 500) throw new Error(`${target}: ${response.status}`);
    await response.arrayBuffer();
  }
}

/** Returns the rows that D1 read, by statement on tables of the catalog. */
async function told({ runtime }: Instance): Promise<ReadonlyMap<string, number>> {
  const response = await runtime.dispatchFetch("http://localhost/looked-at");
  // As test/support/worker/looked-at.ts answers.
  const all = (await response.json()) as [sql: string, rows: number][];
  return new Map(all.filter(([sql]) => isOfCatalog(sql)).map(([sql, rows]) => [shortened(sql), rows]));
}

const TABLES = new Set(
  [
    ...readFileSync(path.join(ROOT, "migrations/postgres/0002_catalog.sql"), "utf8").matchAll(
      /^CREATE TABLE (\w+)/gm,
    ),
  ].map(([, name]) => name),
);

function isOfCatalog(sql: string): boolean {
  const named = [...sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE) (\w+)/g)].map(([, name]) => name);
  return named.some((name) => TABLES.has(name));
}

/** A statement in one line. */
function shortened(sql: string): string {
  return sql.replace(/\s+/g, " ").trim();
}
