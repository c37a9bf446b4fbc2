import { EVERY_ROW, matchTextOf } from "../../search/plan/match.ts";
import type { Selection } from "../../search/plan/selection.ts";
import type { FacetRequest, Facets } from "../../search/engine.ts";
import type { KnownCounts } from "./index-reader.ts";
import { countSql } from "./selection.ts";
import type { SqlContext } from "./sql-values.ts";

/** Minimum count to remember. Smaller ones are cheap to repeat. */
const REMEMBERED_FROM = 500;
const REMEMBERED_MAX = 2000;
const REMEMBERED_FACETS_MAX = 200;
/** Maximum length of remembered facets as JSON, in UTF-16 units. */
const FACETS_LENGTH_MAX = 20_000;
/** Maximum length of a remembered match, in UTF-16 units. */
const MATCH_LENGTH_MAX = 500;
/**
 * Bytes at the start of FTS5's structure record that contain its write counter. Every change of the text advances it,
 * unless `automerge` is 0 (SQLite, `ext/fts5/fts5_index.c`; src/db/indexing/upkeep.ts).
 */
const VERSION_BYTES = 20;

export interface CountRow {
  readonly n: number;
  /** Version of the full text that was counted; null if the count depends on more than that. */
  readonly version: string | null;
}

/** SQL of a `CountRow` for a total that is not needed. */
export const NO_COUNT = "SELECT 0 AS n, NULL AS version";

interface CountContext extends SqlContext {
  readonly counts: KnownCounts | undefined;
  /** SQL of the count in another case. */
  readonly other?: { readonly when: string; readonly count: string };
}

/**
 * Returns SQL of a `CountRow` that reuses the known count while the full text is unchanged. Pass the row to
 * `rememberCount`.
 */
export function knownCountSql(selection: Selection, { counts, other, ...context }: CountContext): string {
  const { values, generation } = context;
  const match = matchOf(selection);
  const version =
    match === undefined
      ? "NULL"
      : `(SELECT hex(substr(block, 1, ${VERSION_BYTES})) FROM work_text_${generation}_data WHERE id = 10)`;
  const known = match === undefined ? undefined : counts?.matches.get(match);
  // Bound, so that usually one statement is prepared for both cases.
  const isKnown = `version = ${values.text(known === undefined ? "" : (counts?.version ?? ""))}`;
  return `SELECT CASE ${other === undefined ? "" : `WHEN ${other.when} THEN ${other.count}`}
      WHEN ${isKnown} THEN CAST(${values.text(String(known ?? -1))} AS INTEGER)
      ELSE (${countSql(selection, context)}) END AS n, version
    FROM (SELECT ${version} AS version)`;
}

/** Returns the number of works of a row of `knownCountSql`, and remembers it. */
export function rememberCount(
  counts: KnownCounts | undefined,
  selection: Selection,
  row: CountRow | undefined,
): number {
  const { n = 0, version = null } = row ?? {};
  const match = matchOf(selection);
  if (counts === undefined || match === undefined || version === null || n < REMEMBERED_FROM) return n;
  if (version !== counts.version) counts.facets.clear();
  if (version !== counts.version || counts.matches.size >= REMEMBERED_MAX) counts.matches.clear();
  counts.version = version;
  counts.matches.set(match, n);
  return n;
}

interface KnownFacets {
  readonly version: string;
  readonly fields: Facets["fields"];
}

/** Returns the facets of a selection that were counted last, with the version of the full text that they hold for. */
export function knownFacetsOf(
  counts: KnownCounts | undefined,
  selection: Selection,
  requests: readonly FacetRequest[],
): KnownFacets | undefined {
  const fields = counts?.facets.get(facetsKeyOf(matchOf(selection), requests));
  return counts && fields && { version: counts.version, fields };
}

/** Remembers the facets of the works of a row that `rememberCount` got. */
export function rememberFacets(
  counts: KnownCounts | undefined,
  selection: Selection,
  {
    row: { n, version },
    requests,
    fields,
  }: {
    readonly row: CountRow;
    readonly requests: readonly FacetRequest[];
    readonly fields: Facets["fields"];
  },
) {
  const match = matchOf(selection);
  if (match === undefined || counts?.version !== version || n < REMEMBERED_FROM) return;
  if (JSON.stringify(fields).length > FACETS_LENGTH_MAX) return;
  if (counts.facets.size >= REMEMBERED_FACETS_MAX) counts.facets.clear();
  counts.facets.set(facetsKeyOf(match, requests), fields);
}

function facetsKeyOf(match: string | undefined, requests: readonly FacetRequest[]): string {
  return JSON.stringify([match, requests]);
}

/** Returns the match of a selection that depends on nothing else. */
function matchOf({ match, conditions, ids }: Selection): string | undefined {
  if (conditions.length > 0 || ids !== undefined) return undefined;
  const text = matchTextOf(match ?? EVERY_ROW);
  return text.length > MATCH_LENGTH_MAX ? undefined : text;
}
