import { expandEdition } from "../../search/present/expand.ts";
import { type Hits, type PlainSearch, WINDOW_PLAIN_MAX } from "../../search/engine.ts";
import { editionMatch } from "../../search/plan/selection.ts";
import { matchText } from "../../search/plan/match.ts";
import { NO_ROWS, batchRows, rows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import {
  type StoredEditionRow,
  readWorksStatement,
  requireRoom,
  storedEdition,
  withinRoom,
} from "./read-works.ts";
import { readVocabulary } from "./selection.ts";
import { SqlValues } from "./sql-values.ts";
import { type StoredWorkRow, storedWork } from "./stored-work.ts";

const NOTHING: Hits = { numFound: 0, numFoundExact: true, documents: [] };

/**
 * Searches editions by their own fields. They are ordered by their rows, forwards or backwards: work by work, the most
 * open ones of a work first. Two round trips. Throws a `TooBroadError`, and database errors.
 */
export async function searchEditions(index: IndexReader, search: PlainSearch): Promise<Hits> {
  const match = await editionMatch(search, (requests) => readVocabulary(index, requests));
  if (match === undefined) return NOTHING;
  const { database, generation } = index;
  const { after, start, rows: wanted, sort } = search;
  const text = `edition_text_${generation}`;
  const isDescending = sort.some(({ field, descending }) => field === "key" && descending);
  const values = new SqlValues();
  const matches = `${text} MATCH ${values.text(matchText(match))}`;
  const [last] = after ?? [];
  const follows =
    typeof last === "number" ? ` AND rowid ${isDescending ? "<" : ">"} ${values.value(last)}` : "";
  const direction = isDescending ? "DESC" : "ASC";
  const isPage = wanted > 0 && (after !== undefined || start + wanted <= WINDOW_PLAIN_MAX);
  const count = { sql: `SELECT count(*) AS n FROM ${text} WHERE ${matches}`, values: values.values };
  const page = {
    sql: withinRoom(
      { others: ["id", "work", "position"], texts: ["document"] },
      `SELECT page.id, e.work, e.position, e.document FROM (
         SELECT rowid AS id FROM ${text} WHERE ${matches}${follows}
         ORDER BY rowid ${direction} LIMIT ${wanted} OFFSET ${after === undefined ? start : 0}) page
       CROSS JOIN edition_${generation} e ON e.work = page.id >> 13 AND e.rank = page.id & 8191
       ORDER BY page.id ${direction}`,
    ),
    values: values.values,
  };
  const [counted = [], read = []] = await batchRows(database, [
    after?.length ? NO_ROWS : count,
    isPage ? page : NO_ROWS,
  ]);
  // Rows have the columns of their statements.
  const found = requireRoom(read as (StoredEditionRow & { id: number })[]);
  const mark = after && found.at(-1)?.id;
  return {
    numFound: (counted as { n: number }[])[0]?.n ?? 0,
    numFoundExact: true,
    documents: await withWorks(index, found),
    mark: mark === undefined ? undefined : [mark],
  };
}

/** Adds the members of their works to editions. */
async function withWorks({ database, generation }: IndexReader, found: readonly StoredEditionRow[]) {
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ work }) => work))];
  const read = requireRoom(await rows<StoredWorkRow>(database, readWorksStatement(generation, ids)));
  const works = await Promise.all(read.map(async (row) => [row.id, await storedWork(row)] as const));
  const byId = new Map(works);
  return found.flatMap((row) => {
    const work = byId.get(row.work);
    return work === undefined ? [] : [expandEdition(storedEdition(row, work))];
  });
}
