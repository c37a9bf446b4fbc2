import { findAccount } from "../../db/accounts/read.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Login, completeLogin } from "../identity/linking.ts";
import { authenticateAccount } from "../identity/local.ts";
import { type AuthResult, refused } from "../identity/provider.ts";
import { identityProvider } from "../identity/providers.ts";
import { keepPatronKeys } from "../holdings/patron-keys.ts";
import { openSession } from "../http/session.ts";
import { type Spender, LOGIN_FAILURES, attempt, byAddress } from "./budgets.ts";
import { setLoginCookies } from "./login-cookies.ts";
import { isAttempt, loginFailed } from "./login-failure.ts";
import { makeAccountRecords } from "./new-account.ts";

/** Characters of a name by which its failures are counted. */
const COUNTED_NAME_LENGTH = 300;

/** With what somebody proves who he is. */
export type Credentials =
  | { readonly kind: "email"; readonly email: string; readonly password: string }
  | { readonly kind: "username"; readonly username: string; readonly password: string }
  | { readonly kind: "keys"; readonly access: string; readonly secret: string };

/** Somebody who is logged in now. */
export type LoggedIn = Login & { readonly ok: true };

/**
 * Logs somebody in: checks the credentials within the budgets of failures, finds or makes the account, opens a session
 * and sets the cookies. Throws 400 with the reason, or 429.
 */
export async function logIn(
  context: RequestContext,
  { credentials, remember }: { readonly credentials: Credentials; readonly remember: boolean },
): Promise<LoggedIn> {
  const login = await proveLogin(context, credentials);
  if (!login.ok) throw loginFailed(login.reason);
  await admit(context, login, remember);
  return login;
}

/** Checks credentials within the budgets of failures, and finds or makes the account. Throws a 429. */
export function proveLogin(context: RequestContext, credentials: Credentials): Promise<Login> {
  return attempt(context, loginSpenders(context, credentials), async () => {
    const value = await loginOf(context, await authenticate(context, credentials));
    return { value, isCounted: !value.ok && isAttempt(value.reason) };
  });
}

/** Opens the session of somebody who has proved who he is; throws when he is barred by now. */
export async function admit(context: RequestContext, login: LoggedIn, remember: boolean): Promise<void> {
  await makeAccountRecords(context, login);
  if (!(await openSession(context, { username: login.username, remember }))) {
    throw loginFailed("undefined_error");
  }
  await setLoginCookies(context, login, remember);
}

/** Finds or makes the account of somebody who has proved who he is. */
export async function loginOf(context: RequestContext, result: AuthResult): Promise<Login> {
  if (!result.ok) return result;
  const login = await completeLogin(context, result.identity);
  const { lendingCredential: keys } = result;
  if (login.ok && keys !== undefined && context.settings.LENDING === "http") {
    await keepPatronKeys(context, login.username, keys);
  }
  return login;
}

function authenticate(context: RequestContext, credentials: Credentials): Promise<AuthResult> {
  switch (credentials.kind) {
    case "email": {
      const { email, password } = credentials;
      return identityProvider(context).authenticate(email, password, { ip: context.client });
    }
    case "username":
      return authenticateLocally(context, credentials);
    case "keys":
      return identityProvider(context).authenticateKeys(credentials.access, credentials.secret);
  }
}

/** By an account of this very service, whatever the provider: for development and bots (patrons.md 1.4). */
async function authenticateLocally(
  { stores }: RequestContext,
  { username, password }: Credentials & { kind: "username" },
): Promise<AuthResult> {
  if (username === "") return refused("account_not_found");
  return authenticateAccount(stores.patrons, await findAccount(stores.patrons, { username }), password);
}

/** Whose budgets a login is counted by: the address's, and the name's. Keys are too long to be guessed by many. */
export function loginSpenders(context: RequestContext, credentials: Credentials): Spender[] {
  const address = byAddress(context, "login", LOGIN_FAILURES);
  if (credentials.kind === "keys") return address;
  const name =
    credentials.kind === "email"
      ? `e-mail ${credentials.email.trim().toLowerCase()}`
      : `username ${credentials.username.toLowerCase()}`;
  return [{ name: `login as ${name.slice(0, COUNTED_NAME_LENGTH)}`, budget: LOGIN_FAILURES }, ...address];
}
