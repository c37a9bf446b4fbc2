import { type Database, rows } from "../statement.ts";

/** Patrons in one answer at most. */
export const PATRONS_OF_WORK_MAX = 1000;

/**
 * Patrons whose objects hold anything of a work, be it a note alone, by name in lower case and after a name. For those
 * who move what patrons have on a work to another one.
 */
export async function readPatronsOf(
  patrons: Database,
  work: number,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const found = await rows<{ patron: string }>(patrons, {
    sql: `SELECT patron FROM patron_work WHERE work_id = ?1 AND patron > ?2 AND held = 1
          ORDER BY patron LIMIT ?3`,
    values: [work, after, Math.min(limit, PATRONS_OF_WORK_MAX)],
  });
  return found.map(({ patron }) => patron);
}
