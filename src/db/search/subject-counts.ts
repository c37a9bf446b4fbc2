import type { Generation } from "./generation.ts";

/** How often works of a group have a subject. */
export interface SubjectCount {
  /** What the works were grouped by. */
  readonly owner: number;
  /** 0 subject, 1 place, 2 person, 3 time. */
  readonly field: number;
  readonly value: string;
  readonly count: number;
}

/** Fields in the order of `SubjectCount.field`. */
export const SUBJECT_COUNT_FIELDS = ["subject", "place", "person", "time"] as const;

/**
 * SQL that counts the subjects of works and keeps the `limit` most frequent of each field, as `SubjectCount`s:
 * more frequent ones first, then in order of their texts: the reverse one in documents (search.md 9.3). `works` is SQL
 * of a table with columns `owner` and `id`.
 */
export function subjectCountsSql(
  works: string,
  generation: Generation,
  { limit, ties = "DESC" }: { readonly limit: number; readonly ties?: "ASC" | "DESC" },
): string {
  const members = SUBJECT_COUNT_FIELDS.map((field) => `d.document -> '${field}'`).join(", ");
  return `
    SELECT owner, field, value, count FROM (
      SELECT owner, field, value, count(*) AS count,
        row_number() OVER (PARTITION BY owner, field ORDER BY count(*) DESC, value ${ties}) AS place
      FROM (
        SELECT DISTINCT w.owner, w.id, f.key AS field, v.value
        FROM ${works} w CROSS JOIN work_document_${generation} d ON d.id = w.id
        CROSS JOIN json_each(json_array(${members})) f CROSS JOIN json_each(f.value) v)
      GROUP BY owner, field, value)
    WHERE place <= ${limit} ORDER BY owner, count DESC, value ${ties}`;
}
