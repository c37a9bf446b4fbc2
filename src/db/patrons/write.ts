import type { ActivityItem, ActivityMessage, WorkActivity } from "../../catalog/patrons/activity.ts";
import { type Database, type Statement, batchRows, overList } from "../statement.ts";

type Value = string | number | null;

const WORKS = `
  INSERT INTO patron_work
  SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, e.value->>4, e.value->>5, e.value->>6, e.value->>7,
         e.value->>8, e.value->>9, e.value->>10, e.value->>11, e.value->>12, e.value->>13
  FROM json_each(?1) e CROSS JOIN account a ON a.username_folded = e.value->>0 WHERE true
  ON CONFLICT (patron, work_id) DO UPDATE SET
    sequence = excluded.sequence, held = excluded.held, shelf = excluded.shelf, edition_id = excluded.edition_id,
    logged = excluded.logged, moved = excluded.moved, stars = excluded.stars,
    rated_edition_id = excluded.rated_edition_id, rated = excluded.rated, observations = excluded.observations,
    award_id = excluded.award_id, award_topic = excluded.award_topic
  WHERE excluded.sequence > patron_work.sequence`;

const FOLLOWS = `
  INSERT INTO patron_follow
  SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, e.value->>4, e.value->>5
  FROM json_each(?1) e CROSS JOIN account a ON a.username_folded = e.value->>0 WHERE true
  ON CONFLICT (subscriber, publisher) DO UPDATE SET
    sequence = excluded.sequence, disabled = excluded.disabled, created = excluded.created, updated = excluded.updated
  WHERE excluded.sequence > patron_follow.sequence`;

const LIKES = `
  INSERT INTO patron_like
  SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, e.value->>4, e.value->>5
  FROM json_each(?1) e CROSS JOIN account a ON a.username_folded = e.value->>0 WHERE true
  ON CONFLICT (patron, record_key) DO UPDATE SET
    sequence = excluded.sequence, value = excluded.value, created = excluded.created, modified = excluded.modified
  WHERE excluded.sequence > patron_like.sequence`;

const KNOWN =
  "SELECT username_folded AS name FROM account WHERE username_folded IN (SELECT value FROM json_each(?1))";

/**
 * Takes over what patrons' objects tell, all in one transaction with the counts that follow from it (triggers of
 * migrations/patrons/0007). States that are not newer than those stored change nothing. What is told of patrons without an
 * account is passed over: they are gone. Resolves to the patrons who have one, by their names in lower case.
 */
export async function storeActivity(
  patrons: Database,
  messages: readonly ActivityMessage[],
): Promise<ReadonlySet<string>> {
  const names = [...new Set(messages.map(({ patron }) => patron))];
  const known = overList(names, KNOWN);
  const results = await batchRows(patrons, [...known, ...statements(messages)]);
  const found = results.slice(0, known.length).flat();
  // These are the rows of `KNOWN`.
  return new Set((found as { name: string }[]).map(({ name }) => name));
}

function statements(messages: readonly ActivityMessage[]): Statement[] {
  const rows: Record<ActivityItem["kind"], Value[][]> = { work: [], follow: [], like: [] };
  for (const { patron, items } of messages)
    for (const item of items) rows[item.kind].push(rowOf(patron, item));
  return [...overList(rows.work, WORKS), ...overList(rows.follow, FOLLOWS), ...overList(rows.like, LIKES)];
}

/** Members that are missing at the end of a row are NULL to `json_each`. */
function rowOf(patron: string, { kind, subject, sequence, state }: ActivityItem): Value[] {
  switch (kind) {
    case "work": {
      const columns = state === null ? [] : workColumns(state);
      return [patron, Number(subject), sequence, Number(state !== null), ...columns];
    }
    case "follow": {
      const columns = state === null ? [] : [Number(state.disabled), state.created, state.updated];
      return [patron, subject, sequence, ...columns];
    }
    case "like": {
      const columns = state === null ? [] : [state.value, state.created, state.modified];
      return [patron, subject, sequence, ...columns];
    }
  }
}

/** The state of a work as `patron_work` has it, from `shelf` on. */
export function workColumns(state: WorkActivity): Value[] {
  const { shelf, edition, logged, moved, stars, ratedEdition, rated, observations, award } = state;
  const observed = observations.length === 0 ? null : JSON.stringify(observations);
  const awarded = award === null ? [null, null] : [award.id, award.topic];
  return [shelf, edition, logged, moved, stars, ratedEdition, rated, observed, ...awarded];
}
