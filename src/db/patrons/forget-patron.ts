import type { WorkActivity } from "../../catalog/patrons/activity.ts";
import { batchRows, firstValue, type Database } from "../statement.ts";
import { secretHash } from "../accounts/secret-hash.ts";
import { WORK_STATE, type Removal } from "./patron-rows.ts";

/** SQL condition: the address still belongs to this account, and not to another one by now. */
const STILL_THEIRS = "NOT EXISTS (SELECT 1 FROM account WHERE email_folded = ?3 AND username_folded <> ?1)";
/** Statements on D1 `PATRONS`; `?1`: username in lower case, `?2`: username, `?3`: address in lower case, `?4`: new name. */
const TRACES = [
  "DELETE FROM patron_follow WHERE ?1 IN (subscriber, publisher)",
  "DELETE FROM patron_like WHERE patron = ?1",
  "DELETE FROM patron_work WHERE patron = ?1",
  "DELETE FROM check_in_id WHERE patron = ?1",
  "DELETE FROM import_job WHERE username_folded = ?1",
  "DELETE FROM log_visibility WHERE publisher = ?1",
  "DELETE FROM unsaved_patron WHERE patron = ?1",
  "DELETE FROM account_link WHERE username_folded = ?1",
  "DELETE FROM api_key WHERE username_folded = ?1",
  // Also dead letters of other patrons that name this one, for instance their follows.
  `DELETE FROM dead_letter WHERE queue IN ('carrel-activity', 'carrel-patron-jobs') AND EXISTS (
     SELECT 1 FROM json_tree(body) WHERE key IN ('patron', 'publisher', 'subscriber', 'subject') AND lower(atom) = ?1)`,
  `DELETE FROM outbox WHERE instr(body, 'Hello ' || ?2 || ',') > 0 OR (lower(recipient) = ?3 AND ${STILL_THEIRS})`,
  ...["store_index", "store_document"].map(
    (table) => `DELETE FROM ${table} WHERE key IN ('account/' || ?2, 'account-email/' || ?3)
      OR substr(key, 1, length(?2) + 9) IN ('account/' || ?2 || '/', '/people/' || ?2 || '/')`,
  ),
  // Audit events of the account stay, without its name.
  "UPDATE audit SET actor = '/people/' || ?4 WHERE actor = '/people/' || ?1",
  `UPDATE audit SET subject = '/people/' || ?4 || substr(subject, 9 + length(?1)) WHERE subject = '/people/' || ?1
     OR (subject > '/people/' || ?1 || '/' AND subject < '/people/' || ?1 || '0')`,
  "DELETE FROM account WHERE username_folded = ?1",
];

/**
 * Deletes everything of an account in D1 `PATRONS`, the account itself last, in one transaction. Its state of works has
 * been moved to another name before; rows that arrived in between are deleted.
 */
export async function forgetAccount(
  patrons: Database,
  { username, email, anonymous }: Pick<Removal, "username" | "email" | "anonymous">,
  now: number,
): Promise<void> {
  const values = [username.toLowerCase(), username, email.toLowerCase(), anonymous];
  // D1 rejects values that a statement does not name.
  const traces = TRACES.map((sql) => {
    const parameters = [...sql.matchAll(/\?(\d)/g)].map(([, place]) => Number(place));
    return { sql, values: values.slice(0, Math.max(...parameters)) };
  });
  await batchRows(patrons, [
    ...traces,
    { sql: NOTE_REMOVED, values: [secretHash(username.toLowerCase()), now] },
  ]);
}

/** Notes that an account was removed, by a hash of its name, for backups from before. */
const NOTE_REMOVED = `INSERT INTO removed_account (username_hash, removed) VALUES (?1, ?2)
  ON CONFLICT (username_hash) DO UPDATE SET removed = excluded.removed`;

const SUBMITTED = "lower(submitter) = ?1 OR lower(reviewer) = ?1 OR instr(comments, ?2) > 0";

export async function countMergeRequests(catalog: Database, username: string): Promise<number> {
  const sql = `SELECT count(*) FROM merge_request WHERE ${SUBMITTED}`;
  const values = [username.toLowerCase(), commenterJson(username)];
  return (await firstValue<number>(catalog, { sql, values })) ?? 0;
}

/** Renames a user in merge requests, comments on them, merges under way and proposals. One transaction. */
export async function renameInMerges(
  catalog: Database,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await batchRows(catalog, [
    {
      sql: `UPDATE merge_request SET
              submitter = CASE lower(submitter) WHEN ?1 THEN ?3 ELSE submitter END,
              reviewer = CASE lower(reviewer) WHEN ?1 THEN ?3 ELSE reviewer END,
              comments = replace(comments, ?2, ?4)
            WHERE ${SUBMITTED}`,
      values: [from.toLowerCase(), commenterJson(from), to, commenterJson(to)],
    },
    {
      sql: "UPDATE merge_job SET author = '/people/' || ?2 WHERE author = '/people/' || ?1",
      values: [from, to],
    },
    ...["submitter", "reviewer"].map((role) => ({
      sql: `UPDATE proposal SET ${role} = ?2 WHERE lower(${role}) = ?1`,
      values: [from.toLowerCase(), to],
    })),
  ]);
}

/** Returns the author of a comment as written in the JSON; quotes in the text of a comment are escaped. */
function commenterJson(username: string): string {
  return `"username":${JSON.stringify(username)}`;
}

export interface HeldWork {
  readonly work: number;
  readonly state: WorkActivity;
}

const INSERT = `
  INSERT INTO patron_work (patron, work_id, sequence, held, ${Object.keys(WORK_STATE).join(", ")})
  SELECT ?2, value->>'work', 1, 1, ${Object.values(WORK_STATE).join(", ")} FROM json_each(?1) WHERE true
  ON CONFLICT (patron, work_id) DO NOTHING`;
const DELETE = "DELETE FROM patron_work WHERE patron = ?2 AND work_id IN (SELECT value FROM json_each(?1))";

/**
 * Moves works of a patron to another name in one transaction, so that their counts do not change. Notes and check-ins
 * are not moved. A repeated call changes nothing. Names in lower case; at most some hundred works.
 */
export async function renameWorks(
  patrons: Database,
  works: readonly HeldWork[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (works.length === 0) return;
  const numbers = works.map(({ work }) => work);
  await batchRows(patrons, [
    { sql: INSERT, values: [JSON.stringify(works), to] },
    { sql: DELETE, values: [JSON.stringify(numbers), from] },
  ]);
}
