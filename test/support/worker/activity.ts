import { env } from "cloudflare:workers";
import type { ActivityItem, LikeActivity, WorkActivity } from "../../../src/catalog/patrons/activity.ts";

/** A message of a patron's object about one work. */
export function workMessage(
  patron: string,
  work: number,
  sequence: number,
  state: Partial<WorkActivity> | null,
) {
  return { patron, items: [workItem(work, sequence, state)] };
}

/** The state of a work as a patron's object tells it; what is not said is nothing. */
export function workItem(work: number, sequence: number, state: Partial<WorkActivity> | null): ActivityItem {
  return {
    kind: "work",
    subject: String(work),
    sequence,
    state: state === null ? null : { ...NOTHING, ...state },
  };
}

/** The state of a liked record. */
export function likeItem(key: string, sequence: number, value: LikeActivity["value"] | null): ActivityItem {
  return {
    kind: "like",
    subject: key,
    sequence,
    state: value === null ? null : { value, created: 1, modified: 1 },
  };
}

const NOTHING: WorkActivity = {
  shelf: null,
  edition: null,
  logged: null,
  moved: null,
  stars: null,
  ratedEdition: null,
  rated: null,
  observations: [],
  award: null,
};

/** Accounts without more than a name. */
export async function addAccounts(...usernames: string[]): Promise<void> {
  await env.PATRONS.prepare(
    `INSERT OR IGNORE INTO account (username, username_folded, email, email_folded, status, created)
     SELECT value, lower(value), value || '@example.com', lower(value) || '@example.com', 'active', '2026-01-01T00:00:00'
     FROM json_each(?1)`,
  )
    .bind(JSON.stringify(usernames))
    .run();
}
