import { readPasswordHash } from "../../db/accounts/read.ts";
import type { RequestContext } from "../http/operation.ts";
import { attempt } from "./budgets.ts";
import { loginSpenders } from "./login.ts";
import { loginMessage } from "./login-failure.ts";
import { verifyPassword } from "./password.ts";
import type { Problem } from "./problems.ts";

/** What is said of a wrong password. */
export const WRONG_PASSWORD: Problem = {
  field: "password",
  code: "account_bad_password",
  message: loginMessage("account_bad_password"),
};

/**
 * The stored hash of somebody's password if he knows it; undefined when he does not, or the account has none. Counted as
 * logins are: a session that was stolen is no way to guess the password. Throws a 429.
 */
export async function provenPassword(
  context: RequestContext,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<string | undefined> {
  const spenders = loginSpenders(context, { kind: "username", username, password });
  return attempt(context, spenders, async () => {
    const stored = (await readPasswordHash(context.stores.patrons, username)) ?? undefined;
    const isRight = stored !== undefined && (await verifyPassword(password, stored)) !== "wrong";
    return { value: isRight ? stored : undefined, isCounted: !isRight };
  });
}
