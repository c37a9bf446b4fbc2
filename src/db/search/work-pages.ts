import { matchTextOf } from "../../search/plan/match.ts";
import { toMatchPlan } from "../../search/plan/plan.ts";
import { NO_ROWS, batchGroups, firstRow } from "../statement.ts";
import { readCandidates } from "./candidates.ts";
import { checkCosts } from "./check-costs.ts";
import type { IndexReader } from "./index-reader.ts";
import { type CountRow, knownCountSql, rememberCount } from "./known-counts.ts";
import {
  type StoredEditionRow,
  readCounted,
  readEditionsStatement,
  readWorksStatement,
  requireRoom,
  withinRoom,
} from "./read-works.ts";
import { checkPlan, popularSql, readVocabulary } from "./selection.ts";
import { readSorted, readWalk } from "./sorted.ts";
import { SqlValues } from "./sql-values.ts";
import { workReadingOf } from "./stored-work.ts";
import type { WorkRow } from "../../search/indexing/packed-work.ts";
import { type WorkSource, PAGE_EDITIONS_MAX } from "../../search/engine/search-works.ts";

export function createWorkSource(index: IndexReader): WorkSource {
  const { database, generation, prefix, counts } = index;
  return {
    prefix,
    lookUp: (requests) => readVocabulary(index, requests),
    checkCosts: (selection) => checkPlan(index, selection),
    readWalk: (selection, search) => readWalk(index, selection, search),
    readSorted: (selection, search) => readSorted(index, selection, search),
    readCandidates: (selection, words, search) => readCandidates(index, selection, { ...search, words }),
    async readEditions(match, page) {
      await checkCosts(index, "edition", toMatchPlan(match));
      return readEditions(index, matchTextOf(match), page);
    },
    async count(selection) {
      const values = new SqlValues();
      const sql = knownCountSql(selection, { counts, generation, values });
      const row = await firstRow<CountRow>(database, { sql, values: values.values });
      return rememberCount(counts, selection, row);
    },
    readPopular(selection, { start, rows, without, ...request }) {
      const values = new SqlValues();
      const context = { generation, values };
      const counted = without === undefined ? selection : undefined;
      const page = popularSql(selection, { ...context, offset: start, limit: rows, without });
      return readCounted(index, { counted, page, values, reading: workReadingOf(request) });
    },
    async readRows(ids, editionsOf, request) {
      const reading = workReadingOf(request);
      const { works, editions } = await batchGroups<{ works: WorkRow; editions: StoredEditionRow }>(
        database,
        {
          works: ids.length > 0 ? readWorksStatement(generation, ids, reading) : [],
          editions:
            editionsOf.length > 0 ? readEditionsStatement(generation, editionsOf, PAGE_EDITIONS_MAX) : [],
        },
      );
      return {
        works: new Map(requireRoom(works).map((row) => [row.id, () => reading.work(row)])),
        editions: requireRoom(editions),
      };
    },
  };
}

async function readEditions(
  { database, generation }: IndexReader,
  expression: string,
  { after, isDescending, offset, limit }: Parameters<WorkSource["readEditions"]>[1],
) {
  const text = `edition_text_${generation}`;
  const values = new SqlValues();
  const matches = `${text} MATCH ${values.text(expression)}`;
  const [last] = after ?? [];
  const follows =
    typeof last === "number" ? ` AND rowid ${isDescending ? "<" : ">"} ${values.value(last)}` : "";
  const direction = isDescending ? "DESC" : "ASC";
  const count = { sql: `SELECT count(*) AS n FROM ${text} WHERE ${matches}`, values: values.values };
  const page = {
    sql: withinRoom(
      { others: ["id", "work", "position"], texts: ["document"] },
      `SELECT page.id, e.work, e.position, e.document FROM (
         SELECT rowid AS id FROM ${text} WHERE ${matches}${follows}
         ORDER BY rowid ${direction} LIMIT ${limit} OFFSET ${offset}) page
       CROSS JOIN edition_${generation} e ON e.work = page.id >> 13 AND e.rank = page.id & 8191
       ORDER BY page.id ${direction}`,
    ),
    values: values.values,
  };
  const { counted, editions } = await batchGroups<{
    counted: { n: number };
    editions: StoredEditionRow & { id: number };
  }>(database, { counted: after?.length ? NO_ROWS : count, editions: limit > 0 ? page : NO_ROWS });
  return { numFound: counted[0]?.n ?? 0, editions: requireRoom(editions) };
}
