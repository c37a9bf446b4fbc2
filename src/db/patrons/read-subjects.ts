import { rows } from "../statement.ts";

/** Usernames in lower case by who they are at the identity provider; those without an account are absent. */
export async function readUsernamesOfSubjects(
  patrons: D1Database,
  subjects: readonly string[],
): Promise<Map<string, string>> {
  if (subjects.length === 0) return new Map();
  const found = await rows<{ subject: string; username: string }>(patrons, {
    sql: `SELECT subject, username_folded AS username FROM account
          WHERE subject IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify(subjects)],
  });
  return new Map(found.map(({ subject, username }) => [subject, username]));
}
