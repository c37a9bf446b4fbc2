import { FACET_SOURCES, type FacetSource } from "../../../search/facets/fields.ts";
import { valuesNeeded } from "../../../search/facets/pick.ts";
import type { FacetRequest, FacetValue, Facets } from "../../../search/engine.ts";
import { decodeToken } from "../../../search/index/filter-token.ts";
import { type Statement, batchRows } from "../../statement.ts";
import type { IndexReader } from "../index-reader.ts";
import { answers } from "./values.ts";

/** Codes of the tokens of fields that are no lists. */
const COLUMN_CODES = new Map([
  ["first_publish_year", "fy"],
  ["has_fulltext", "hf"],
  ["public_scan_b", "ps"],
]);
/** Subjects are counted by key: so many more are looked at for the most frequent spellings. */
const SPELLINGS = 2;

interface Row {
  readonly value: string;
  readonly n: number;
}

/** How the values of a field are counted over all works. */
interface Counting {
  readonly statement: Statement;
  read(value: string): string;
}

/**
 * Facets of all works, out of the list of terms and the tables of authors and subjects. One round trip; it walks
 * through all terms of a field, so that callers keep the answer.
 */
export async function wholeFacets(index: IndexReader, requests: readonly FacetRequest[]): Promise<Facets> {
  const countings = requests.map((request) => countingOf(index, request));
  const [counted = [], ...found] = await batchRows(index.database, [
    { sql: `SELECT count(*) AS n FROM work_${index.generation}`, values: [] },
    ...countings.map(({ statement }) => statement),
  ]);
  const values = new Map(
    requests.map(({ field }, place): [string, FacetValue[]] => [
      field,
      // Rows have the columns of the statement.
      ((found[place] ?? []) as Row[]).map(({ value, n }) => ({
        value: countings[place]?.read(value) ?? value,
        count: n,
      })),
    ]),
  );
  const numFound = (counted as { n: number }[])[0]?.n ?? 0;
  return {
    numFound,
    fields: answers(requests, values),
    exact: !requests.some(({ field }) => isSubject(field)),
  };
}

function countingOf(index: IndexReader, request: FacetRequest): Counting {
  const source = FACET_SOURCES.get(request.field);
  const limit = valuesNeeded(request);
  if (request.field === "author_facet") return authors(index, limit);
  if (isSubject(request.field)) return subjects(index, request.field.replace("_facet", ""), limit);
  const code = codeOf(request.field, source);
  return {
    statement: {
      sql: `SELECT term AS value, doc AS n FROM work_term_${index.generation}
            WHERE term >= ?1 AND term < ?2 ORDER BY doc DESC, term LIMIT ?3`,
      values: [`${code}=`, `${code}>`, limit],
    },
    read: (term) => decodeToken(term).value,
  };
}

function codeOf(field: string, source: FacetSource | undefined): string {
  return source?.kind === "member" ? source.code : (COLUMN_CODES.get(field) ?? "");
}

function isSubject(field: string): boolean {
  return /^(?:subject|person|place|time)_facet$/.test(field);
}

function authors({ generation, prefix }: IndexReader, limit: number): Counting {
  return {
    statement: {
      sql: `SELECT ?1 || id || 'A ' || (document ->> '$.name') AS value, work_count AS n FROM author_${generation}
            WHERE work_count > 0 ORDER BY work_count DESC LIMIT ?2`,
      values: [prefix, limit],
    },
    read: (value) => value,
  };
}

function subjects({ generation }: IndexReader, type: string, limit: number): Counting {
  return {
    statement: {
      sql: `SELECT name AS value, name_count AS n FROM subject_${generation}
            WHERE subject_type = ?1 ORDER BY work_count DESC LIMIT ?2`,
      values: [type, SPELLINGS * limit],
    },
    read: (value) => value,
  };
}
