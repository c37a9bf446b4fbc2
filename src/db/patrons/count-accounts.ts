import { type Database, rows } from "../statement.ts";
import type { AccountStatus } from "./find-account.ts";

/** How many accounts there are, by status. One statement, which looks at all of them. */
export async function countAccounts(patrons: Database): Promise<Record<AccountStatus, number>> {
  const found = await rows<{ status: AccountStatus; count: number }>(patrons, {
    sql: "SELECT status, count(*) AS count FROM account GROUP BY status",
    values: [],
  });
  const counts = { pending: 0, active: 0, blocked: 0 };
  for (const { status, count } of found) counts[status] = count;
  return counts;
}
