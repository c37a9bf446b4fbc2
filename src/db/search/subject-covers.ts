import { tokenPhrase } from "../../search/index/filter-token.ts";
import { rows } from "../statement.ts";
import type { IndexReader } from "./index-reader.ts";

/** Works of a subject, by number, of which the first one with a cover lends it. */
export const SUBJECT_COVER_WORKS_MAX = 50;

/** Covers of works about subjects: `tokens` are those of subjects, by any name. One statement. */
export async function readSubjectCovers(
  { database, generation }: IndexReader,
  tokens: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const text = `work_text_${generation}`;
  const asked = [...tokens].map(([name, token]) => [name, tokenPhrase(token)]);
  const found = await rows<{ name: string; cover: number | null }>(database, {
    sql: `SELECT s.value ->> 0 AS name, (
            SELECT d.document ->> 'cover_i' FROM (
              SELECT rowid AS id FROM ${text} WHERE ${text} MATCH s.value ->> 1 LIMIT ${SUBJECT_COVER_WORKS_MAX}) w
            JOIN work_document_${generation} d ON d.id = w.id
            WHERE d.document ->> 'cover_i' > 0 ORDER BY w.id LIMIT 1) AS cover
          FROM json_each(?1) s`,
    values: [JSON.stringify(asked)],
  });
  return new Map(found.flatMap(({ name, cover }) => (cover === null ? [] : [[name, cover] as const])));
}
