import type { WorkActivity } from "../../catalog/patrons/activity.ts";
import { type Database, batchRows, firstValue } from "../statement.ts";
import { type RemovalRow, WORK_STATE } from "./rows.ts";
import { workColumns } from "./write.ts";

/** The address may be that of another account since this one had it. */
const STILL_HIS = "NOT EXISTS (SELECT 1 FROM account WHERE email_folded = ?3 AND username_folded <> ?1)";
/** Statements on D1 `PATRONS`; `?1`: username in lower case, `?2`: username, `?3`: address in lower case, `?4`: new name. */
const TRACES = [
  "DELETE FROM patron_follow WHERE ?1 IN (subscriber, publisher)",
  "DELETE FROM patron_like WHERE patron = ?1",
  "DELETE FROM patron_work WHERE patron = ?1",
  "DELETE FROM check_in_id WHERE patron = ?1",
  "DELETE FROM import_job WHERE username_folded = ?1",
  "DELETE FROM account_link WHERE username_folded = ?1",
  "DELETE FROM api_key WHERE username_folded = ?1",
  // Also those of others that name him, as whom they follow.
  `DELETE FROM dead_letter WHERE queue IN ('carrel-activity', 'carrel-patron-jobs') AND EXISTS (
     SELECT 1 FROM json_tree(body) WHERE key IN ('patron', 'publisher', 'subscriber', 'subject') AND lower(atom) = ?1)`,
  `DELETE FROM outbox WHERE instr(body, 'Hello ' || ?2 || ',') > 0 OR (lower(recipient) = ?3 AND ${STILL_HIS})`,
  ...["store_index", "store_document"].map(
    (table) => `DELETE FROM ${table} WHERE key IN ('account/' || ?2, 'account-email/' || ?3)
      OR substr(key, 1, length(?2) + 9) IN ('account/' || ?2 || '/', '/people/' || ?2 || '/')`,
  ),
  // What somebody has done stays known, without his name.
  "UPDATE audit SET actor = '/people/' || ?4 WHERE actor = '/people/' || ?1",
  `UPDATE audit SET subject = '/people/' || ?4 || substr(subject, 9 + length(?1)) WHERE subject = '/people/' || ?1
     OR (subject > '/people/' || ?1 || '/' AND subject < '/people/' || ?1 || '0')`,
  "DELETE FROM account WHERE username_folded = ?1",
];

/**
 * Deletes everything of an account that D1 `PATRONS` has, the account itself last, in one transaction. What it held of works
 * has been taken over to another name before; rows that came in between go.
 */
export async function forgetAccount(
  patrons: Database,
  { username, email, anonymous }: Pick<RemovalRow, "username" | "email" | "anonymous">,
): Promise<void> {
  const values = [username.toLowerCase(), username, email.toLowerCase(), anonymous];
  await batchRows(
    patrons,
    TRACES.map((sql) => ({ sql, values: values.slice(0, highest(sql)) })),
  );
}

/** D1 refuses values that a statement does not name. */
function highest(sql: string): number {
  return Math.max(...[...sql.matchAll(/\?(\d)/g)].map(([, place]) => Number(place)));
}

const SUBMITTED = "lower(submitter) = ?1 OR lower(reviewer) = ?1 OR instr(comments, ?2) > 0";

/** How many merge requests name a user: as submitter, as reviewer, or in a comment. */
export async function countMergeRequests(catalog: Database, username: string): Promise<number> {
  const sql = `SELECT count(*) FROM merge_request WHERE ${SUBMITTED}`;
  const values = [username.toLowerCase(), commenter(username)];
  return (await firstValue<number>(catalog, { sql, values })) ?? 0;
}

/** Gives merge requests, comments on them and merges under way to another name. One transaction. */
export async function renameInMerges(
  catalog: Database,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await batchRows(catalog, [
    {
      sql: `UPDATE merge_request SET
              submitter = CASE lower(submitter) WHEN ?1 THEN ?3 ELSE submitter END,
              reviewer = CASE lower(reviewer) WHEN ?1 THEN ?3 ELSE reviewer END,
              comments = replace(comments, ?2, ?4)
            WHERE ${SUBMITTED}`,
      values: [from.toLowerCase(), commenter(from), to, commenter(to)],
    },
    {
      sql: "UPDATE merge_job SET author = '/people/' || ?2 WHERE author = '/people/' || ?1",
      values: [from, to],
    },
  ]);
}

/** As the author of a comment stands in the JSON; the text of a comment has its quotes escaped. */
function commenter(username: string): string {
  return `"username":${JSON.stringify(username)}`;
}

/** What a patron holds of one work. */
export interface HeldWork {
  readonly work: number;
  readonly state: WorkActivity;
}

const INSERT = `
  INSERT INTO patron_work (patron, work_id, sequence, held, ${WORK_STATE.join(", ")})
  SELECT ?2, e.value->>0, 1, 1, ${WORK_STATE.map((_, place) => `e.value->>${place + 1}`).join(", ")}
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
  const held = works.map(({ work, state }) => [work, ...workColumns(state)]);
  const numbers = works.map(({ work }) => work);
  await batchRows(patrons, [
    { sql: INSERT, values: [JSON.stringify(held), to] },
    { sql: DELETE, values: [JSON.stringify(numbers), from] },
  ]);
}
