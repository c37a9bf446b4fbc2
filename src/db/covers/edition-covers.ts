import { idRange } from "../../catalog/record-id.ts";
import { type Database, rows } from "../statement.ts";

/** Editions of a work that are looked through for covers, by number, and covers that are taken of them. */
export const OFFERED_EDITIONS_MAX = 100;
export const OFFERED_COVERS_MAX = 50;

/** Covers of a work's editions, those of the first editions first, each once. One indexed statement. */
export async function readEditionCovers(database: Database, work: string): Promise<number[]> {
  const { from, to } = idRange("M");
  const found = await rows<{ cover: number }>(database, {
    sql: `SELECT c.value AS cover, min(e.id * 1000 + min(c.key, 999)) AS place
          FROM (SELECT r.id, r.document FROM property p JOIN record r ON r.id = p.record_id
            WHERE p.name = 'works' AND p.value = ?1 AND p.record_id >= ?2 AND p.record_id < ?3
            ORDER BY p.record_id LIMIT ?4) e,
          json_each(e.document, '$.covers') c
          WHERE c.type = 'integer' AND c.value > 0
          GROUP BY c.value ORDER BY place LIMIT ?5`,
    values: [work, from, to, OFFERED_EDITIONS_MAX, OFFERED_COVERS_MAX],
  });
  return found.map(({ cover }) => cover);
}
