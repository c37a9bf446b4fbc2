import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { selectionSql } from "../../../../src/db/search/selection.ts";
import { conditionSql } from "../../../../src/db/search/work-conditions.ts";
import { SqlValues } from "../../../../src/db/search/sql-values.ts";
import type { WorkDocument } from "../../../../src/search/documents/types.ts";
import { WORK_COLUMNS, workRows } from "../../../../src/search/indexing/work-rows.ts";
import { WORK_TEXT_COLUMNS } from "../../../../src/search/indexing/columns.ts";
import { type Plan, splitPlan } from "../../../../src/search/plan/plan.ts";
import { planQuery, requestsOf } from "../../../../src/search/plan/plan-query.ts";
import type { Vocabulary } from "../../../../src/search/plan/vocabulary.ts";
import { WORK_FIELDS } from "../../../../src/search/plan/field-columns.ts";
import type { Query } from "../../../../src/search/query/query.ts";
import { verdict } from "../../../support/worker/naive-search.ts";
import { randomQuery, randomWorks } from "../../../support/worker/random-works.ts";
import { randomFrom } from "../../../support/worker/random.ts";

const QUERIES = 600;
const WORKS = 100;
const MIGRATION = path.join(import.meta.dirname, "../../../../migrations/search/0002_index.sql");

function indexOf(works: readonly WorkDocument[]): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(readFileSync(MIGRATION, "utf8"));
  for (const work of works) {
    const id = Number(/\d+/.exec(work.key)?.[0]);
    const rows = workRows(work, { id, version: 1, prefix: "OL" });
    insert(database, "work_a", ["id", "version", ...WORK_COLUMNS], [id, 1, ...rows.columns]);
    const columns = [...WORK_TEXT_COLUMNS.map(({ name }) => name), "token"];
    insert(database, "work_text_a", ["rowid", ...columns], [id, ...rows.texts]);
    for (const [field, value] of rows.values) {
      insert(database, "work_value_a", ["field", "value", "id"], [field, value, id]);
    }
  }
  return database;
}

function insert(
  database: DatabaseSync,
  table: string,
  columns: string[],
  values: (string | number | null)[],
): void {
  const marks = columns.map(() => "?").join(", ");
  database.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${marks})`).run(...values);
}

const random = randomFrom(20_261_121);
const works = randomWorks(random, WORKS);
const database = indexOf(works);
const terms = database
  .prepare("SELECT term FROM work_term_a ORDER BY doc DESC")
  .all()
  .map(({ term }) => String(term));

function vocabularyOf(query: Query): Vocabulary {
  return new Map(
    requestsOf([query], WORK_FIELDS).map(({ id, beginning, inside, accepts }) => [
      id,
      terms.filter((term) => term.startsWith(beginning) && term.includes(inside) && accepts(term)),
    ]),
  );
}

/** Numbers of the works of a plan, checked work by work. */
function checked(plan: Plan): number[] {
  const values = new SqlValues();
  const where = conditionSql(plan, { generation: "a", values, driver: undefined });
  return ids(`SELECT w.id FROM work_a w WHERE ${where} ORDER BY w.id`, values);
}

/** The same as a search asks for them. */
function driven(plan: Plan): number[] {
  const split = splitPlan(plan);
  if (split === undefined) return [];
  const values = new SqlValues();
  const selection = { ...split, ids: undefined };
  const { from, where, id } = selectionSql(selection, { generation: "a", values, withColumns: false });
  return ids(`SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY 1`, values);
}

function ids(sql: string, values: SqlValues): number[] {
  return database
    .prepare(sql)
    .all(...values.values)
    .map(({ id }) => Number(id));
}

it(`finds for ${QUERIES} random queries what a look at every work finds`, () => {
  let found = 0;
  for (let at = 0; at < QUERIES; at += 1) {
    const query = randomQuery(random);
    const plan = planQuery(query, { scheme: WORK_FIELDS, vocabulary: vocabularyOf(query) });
    const expected = works.flatMap((work, index) => (verdict(query, work) === true ? [index + 1] : []));
    expect(checked(plan), `checked: ${JSON.stringify(query)}`).toEqual(expected);
    expect(driven(plan), `driven: ${JSON.stringify(query)}`).toEqual(expected);
    if (expected.length > 0 && expected.length < WORKS) found += 1;
  }
  // Queries that find nothing, or everything, prove little.
  expect(found).toBeGreaterThan(QUERIES / 3);
}, 60_000);
