import type { WorkActivity } from "../../catalog/patrons/activity.ts";
import { type Database, batchRows } from "../statement.ts";

/** What a patron holds of one work. */
export interface HeldWork {
  readonly work: number;
  readonly state: WorkActivity;
}

const INSERT = `
  INSERT INTO patron_work (patron, work_id, sequence, held, shelf, edition_id, logged, moved, stars, rated_edition_id,
                           rated, observations, award_id, award_topic)
  SELECT ?2, e.value->>0, 1, 1, e.value->>1, e.value->>2, e.value->>3, e.value->>4, e.value->>5, e.value->>6,
         e.value->>7, e.value->>8, e.value->>9, e.value->>10
  FROM json_each(?1) e WHERE true
  ON CONFLICT (patron, work_id) DO NOTHING`;
const DELETE = "DELETE FROM patron_work WHERE patron = ?2 AND work_id IN (SELECT value FROM json_each(?1))";

/**
 * Takes works of a patron over to another name in one transaction, so that their counts stay as they are. Notes and
 * check-ins are not among them. Once more changes nothing. Names in lower case; at most some hundred works.
 */
export async function renameWorks(
  patrons: Database,
  works: readonly HeldWork[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  if (works.length === 0) return;
  const held = works.map(({ work, state }) => [work, ...valuesOf(state)]);
  const numbers = works.map(({ work }) => work);
  await batchRows(patrons, [
    { sql: INSERT, values: [JSON.stringify(held), to] },
    { sql: DELETE, values: [JSON.stringify(numbers), from] },
  ]);
}

function valuesOf(state: WorkActivity): (string | number | null)[] {
  const { shelf, edition, logged, moved, stars, ratedEdition, rated, observations, award } = state;
  const observed = observations.length === 0 ? null : JSON.stringify(observations);
  const given = award === null ? [null, null] : [award.id, award.topic];
  return [shelf, edition, logged, moved, stars, ratedEdition, rated, observed, ...given];
}
