import { type LendingTerms, termsFromSubjects, termsOf } from "../../catalog/lending/terms.ts";
import { type Json, REDIRECT_HOPS_MAX, stringsOf } from "../../catalog/record.ts";
import { type Database, rows } from "../statement.ts";

interface TermsRow {
  readonly ocaid: string;
  /** JSON array; null: the holdings have no row. */
  readonly collections: string | null;
  readonly restricted: number | null;
  readonly copies: number | null;
  readonly browse: number | null;
  /** JSON of the subjects of the work whose edition has the scan; null where they are not asked for. */
  readonly subjects: string | null;
}

const READ = `
  SELECT w.value AS ocaid, i.collections, i.access_restricted AS restricted, i.copies, i.browse,
    CASE WHEN i.ocaid IS NULL AND ?2 = 1 THEN (
      WITH RECURSIVE work(key, hops) AS (
        SELECT * FROM (
          SELECT e.document->>'$.works[0].key', 0 FROM identifier d JOIN record e ON e.id = d.edition_id
          WHERE d.kind = 'ocaid' AND d.value = w.value ORDER BY d.edition_id LIMIT 1)
        UNION ALL
        SELECT r.document->>'$.location', work.hops + 1 FROM work JOIN record r ON r.key = work.key
        WHERE r.type = '/type/redirect' AND work.hops < ${REDIRECT_HOPS_MAX})
      SELECT r.document->'$.subjects' FROM work JOIN record r ON r.key = work.key
      WHERE r.type = '/type/work') END AS subjects
  FROM json_each(?1) w LEFT JOIN item i ON i.ocaid = w.value`;

/**
 * On which terms scanned items can be read and lent, by item id; items that nothing is known of are absent. `derive`: items
 * without a row are judged by the subjects of their work, redirects followed (lookup.md 18.3). One statement.
 */
export async function readTerms(
  catalog: Database,
  ocaids: readonly string[],
  { derive }: { derive: boolean },
): Promise<ReadonlyMap<string, LendingTerms>> {
  if (ocaids.length === 0) return new Map();
  const values = [JSON.stringify([...new Set(ocaids)]), Number(derive)];
  const found = await rows<TermsRow>(catalog, { sql: READ, values });
  const pairs = found.map((row) => [row.ocaid, termsOfRow(row)] as const);
  return new Map(pairs.flatMap(([ocaid, terms]) => (terms === undefined ? [] : [[ocaid, terms] as const])));
}

function termsOfRow({
  collections,
  restricted,
  copies,
  browse,
  subjects,
}: TermsRow): LendingTerms | undefined {
  if (collections === null) return subjects === null ? undefined : termsFromSubjects(texts(subjects));
  return termsOf({
    collections: texts(collections),
    accessRestricted: restricted === 1,
    copies: copies ?? 1,
    browse: browse === 1,
  });
}

function texts(json: string): readonly string[] {
  // Both columns hold JSON.
  return stringsOf(JSON.parse(json) as Json);
}
