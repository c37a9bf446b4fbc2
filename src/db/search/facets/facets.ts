import type { FacetSearch, Facets } from "../../../search/engine.ts";
import { batchRows } from "../../statement.ts";
import type { IndexReader } from "../index-reader.ts";
import { type Selection, prepareSelection, selectionSql } from "../works/selection.ts";
import { SqlValues } from "../works/sql-values.ts";
import { broadFacets } from "./broad.ts";
import { type ColumnRow, NO_ROWS, type ValueRow, columnStatement, memberStatement } from "./statements.ts";
import { answers, columnValues, memberValues, wantedMembers, wantsColumns } from "./values.ts";
import { wholeFacets } from "./whole.ts";

/** Works whose documents are read for exact counts of all values (search.md 13.5). */
export const FACET_DOCUMENTS_MAX = 20_000;

/**
 * Counts values of fields over the works of a selection (search.md 13.5): exactly up to 20,000 works, beyond with
 * values chosen out of the most popular works. One round trip for the small, up to three for the others.
 */
export async function countFacets(index: IndexReader, search: FacetSearch): Promise<Facets> {
  if (isWhole(search)) return wholeFacets(index, search.facets);
  const { all } = await prepareSelection(index, search);
  if (all === undefined) return { numFound: 0, fields: answers(search.facets), exact: true };
  const wanted = wantedMembers(search.facets);
  const [counted = [], members = [], columns = []] = await batchRows(index.database, [
    countStatement(index, all),
    wanted.size === 0 ? NO_ROWS : memberStatement(fewWorks(index, all), wanted),
    wantsColumns(search.facets) ? columnStatement(fewWorks(index, all)) : NO_ROWS,
  ]);
  // Rows have the columns of their statements.
  const numFound = (counted as { n: number }[])[0]?.n ?? 0;
  // Q77: beyond, values are chosen; their counts are exact.
  if (numFound > FACET_DOCUMENTS_MAX) return broadFacets(index, all, { numFound, requests: search.facets });
  const fields = answers(
    search.facets,
    memberValues(members as ValueRow[]),
    columnValues(columns as ColumnRow[]),
  );
  return { numFound, fields, exact: true };
}

function isWhole({ query, filters, editionClauses, keys }: FacetSearch): boolean {
  const isAll = query.op === "all" && filters.every(({ op }) => op === "all");
  return isAll && editionClauses.length === 0 && keys === undefined;
}

function countStatement({ generation }: IndexReader, selection: Selection) {
  const values = new SqlValues();
  const { from, where } = selectionSql(selection, { generation, values, withColumns: false });
  return { sql: `SELECT count(*) AS n FROM ${from} WHERE ${where}`, values: values.values };
}

/** The works of a selection, or none when there are too many. */
function fewWorks({ generation }: IndexReader, selection: Selection) {
  const values = new SqlValues();
  const { from, where, id } = selectionSql(selection, { generation, values, withColumns: false });
  const some = `SELECT ${id} AS id FROM ${from} WHERE ${where} LIMIT ${FACET_DOCUMENTS_MAX + 1}`;
  const counted = `SELECT id, count(*) OVER () AS n FROM (${some})`;
  return { generation, values, works: `SELECT id FROM (${counted}) WHERE n <= ${FACET_DOCUMENTS_MAX}` };
}
