import { accountRecords } from "../../catalog/accounts.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read.ts";
import { readPasswordHash } from "../../db/accounts/read-secrets.ts";
import { setAccount } from "../../db/accounts/write.ts";
import { finish, trySave } from "../history/save.ts";
import { keepPatronKeys } from "../holdings/patron-keys.ts";
import { CarrelError, unavailable } from "../http/errors.ts";
import { isLocalDevelopment } from "../http/local-development.ts";
import type { RequestContext } from "../http/operation.ts";
import { openSession, patronOf } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { type Spender, LOGIN_FAILURES, attempt, byAddress } from "./budgets.ts";
import { identityProvider } from "./identity-provider.ts";
import { knownDevice, rememberDevice } from "./known-device.ts";
import { tellOfLockout } from "./letters.ts";
import type { AuthReason, AuthResult } from "./identity.ts";
import { type Login, completeLogin } from "./link-identity.ts";
import { authenticateAccount } from "./local-provider.ts";
import { setLoginCookies } from "./login-cookies.ts";
import { verifyPassword } from "./password-hash.ts";
import { NEW_PREFERENCES } from "./preferences.ts";
import type { Problem } from "./account-form.ts";

const PROVIDER_DOWN = "The accounts cannot be reached at the moment. Please try again in a few minutes.";
/** Q148: it does not say which of the two it is. */
const WRONG_LOGIN = "There is no account with this name and this password.";
const UNVERIFIED =
  "The e-mail address is not confirmed yet. Please follow the link in the mail that we sent you.";

/** What people read for the codes that programs get. */
const MESSAGES: Readonly<Record<string, string>> = {
  invalid_email: "This is not an e-mail address.",
  account_not_found: WRONG_LOGIN,
  account_bad_password: WRONG_LOGIN,
  account_incorrect_password: WRONG_LOGIN,
  account_not_verified: UNVERIFIED,
  ia_account_not_verified: UNVERIFIED,
  account_blocked: "This account is blocked.",
  account_locked: "This account is locked.",
  accounts_not_connected: "This account is not linked to an account here.",
  missing_fields: "Please fill in all fields.",
  max_retries_exceeded: "No username could be found for the account. Please try again.",
  invalid_s3keys: "The keys are not right.",
  request_timeout: PROVIDER_DOWN,
  security_error: PROVIDER_DOWN,
  undefined_error: "The login could not be completed. Please try again.",
};

/** The provider's own failures: nobody has guessed anything. */
const NO_ATTEMPT = new Set(["request_timeout", "security_error", "undefined_error", "max_retries_exceeded"]);

/** What people read for a code. */
export function loginMessage(reason: AuthReason): string {
  return MESSAGES[reason] ?? `You could not be logged in (${reason}).`;
}

/** True when a failed login may have been an attempt to guess. */
export function isAttempt(reason: AuthReason): boolean {
  return !NO_ATTEMPT.has(reason);
}

/** 400 of a login (Q150): the code is for programs, the message for people. */
export function loginFailed(reason: AuthReason): CarrelError {
  const message = loginMessage(reason);
  return new CarrelError(400, reason, {
    message,
    body: { detail: message, error: reason, errorDisplayString: message },
  });
}

/**
 * Makes what a new account lacks: preferences, and its three records as one change. If this breaks off,
 * the next login makes the rest; if two logins do it at a time, the records are made once.
 */
export async function makeAccountRecords(context: RequestContext, login: LoggedIn): Promise<void> {
  const { username, displayname, created } = login;
  if (!created) return;
  await patronOf(context.stores, username).addPreferences(NEW_PREFERENCES);
  const documents = accountRecords(username, displayname);
  const result = await trySave(context, {
    documents,
    kind: "new-account",
    comment: "Created new account.",
    author: `/people/${username}`,
    authority: "service",
    expected: Object.fromEntries(documents.map(({ key }) => [String(key), 0])),
  });
  // A conflict: they are there, from an attempt that broke off, another login, or a dump.
  if (result.ok || result.failures[0]?.error !== "conflict") finish(context, result);
  await setAccount(context.stores.patrons, username, { hasRecords: true });
}

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
  return attemptLogin(context, credentials, async (account) => {
    const result = await authenticateAny(context, credentials, account);
    const value = await loginOf(context, result);
    return { value, failure: value.ok ? undefined : value.reason };
  });
}

async function authenticateAny(
  context: RequestContext,
  credentials: Credentials,
  account: FoundAccount | undefined,
): Promise<AuthResult> {
  if (isClosedHere(context, credentials, account)) return { ok: false, reason: "account_not_found" };
  if (credentials.kind !== "username") return authenticate(context, credentials);
  // A username is that of an account of this very service, whatever the provider: for development and bots.
  return authenticateAccount(context.stores.patrons, account, credentials.password);
}

/**
 * True for the credentials of development accounts, which everybody knows, when the request does not come from the machine
 * of the development service: the password is the username, the secret is the access key.
 */
function isClosedHere(
  context: RequestContext,
  credentials: Credentials,
  account: Pick<FoundAccount, "username"> | undefined,
): boolean {
  const isKnown =
    credentials.kind === "keys"
      ? credentials.access === credentials.secret
      : credentials.password === account?.username;
  return isKnown && context.settings.ENVIRONMENT === "development" && !isLocalDevelopment(context);
}

/** Lets somebody try to prove who he is, within the budgets of failures; throws a 429. Failures are audited. */
export async function attemptLogin<Value>(
  context: RequestContext,
  credentials: Credentials,
  prove: (
    account?: FoundAccount,
  ) => Promise<{ readonly value: Value; readonly failure: AuthReason | undefined }>,
): Promise<Value> {
  const account = await triedAccount(context, credentials);
  const subject = account && `/people/${account.username}`;
  const spenders = await loginSpenders(context, credentials, account);
  try {
    return await attempt(context, spenders, async () => {
      const { value, failure } = await prove(account);
      if (failure !== undefined) {
        await audit(context, { event: "login-failed", subject, details: { reason: failure } });
      }
      return { value, isCounted: failure !== undefined && isAttempt(failure) };
    });
  } catch (error) {
    if (error instanceof CarrelError && error.status === 429) {
      await audit(context, { event: "login-throttled", subject });
    }
    throw error;
  }
}

/** The account that somebody tries; undefined where there is none. */
async function triedAccount(
  { stores: { patrons } }: RequestContext,
  tried: Credentials,
): Promise<FoundAccount | undefined> {
  if (tried.kind === "keys") return undefined;
  return findAccount(
    patrons,
    tried.kind === "email" ? { email: tried.email.trim() } : { username: tried.username },
  );
}

/** Opens the session of somebody who has proved who he is; throws when he is barred by now. */
export async function admit(context: RequestContext, login: LoggedIn, remember: boolean): Promise<void> {
  await makeAccountRecords(context, login);
  if (!(await openSession(context, { username: login.username, remember }))) {
    throw loginFailed("undefined_error");
  }
  await setLoginCookies(context, login, remember);
  await rememberDevice(context, login.username);
  await audit(context, { event: "login", actor: `/people/${login.username}` });
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

function authenticate(
  context: RequestContext,
  credentials: Exclude<Credentials, { kind: "username" }>,
): Promise<AuthResult> {
  const provider = identityProvider(context);
  if (credentials.kind === "keys") return provider.authenticateKeys(credentials.access, credentials.secret);
  return provider.authenticate(credentials.email, credentials.password, { ip: context.client });
}

/**
 * Whose budgets a login is counted by: the device's, if the account knows it; else the account's, whatever name it is called
 * by, and the address's. Keys are too long to be guessed by many.
 */
async function loginSpenders(
  context: RequestContext,
  credentials: Credentials,
  account: FoundAccount | undefined,
): Promise<Spender[]> {
  const address = byAddress(context, "login", LOGIN_FAILURES);
  const budget = LOGIN_FAILURES;
  if (credentials.kind === "keys") return address;
  if (account === undefined) {
    const name = (
      credentials.kind === "email" ? credentials.email.trim() : credentials.username
    ).toLowerCase();
    return [{ name: `login as unknown ${name.slice(0, COUNTED_NAME_LENGTH)}`, budget }, ...address];
  }
  const { usernameFolded } = account;
  const device = await knownDevice(context, usernameFolded);
  if (device !== undefined) return [{ name: `login as ${usernameFolded} on ${device}`, budget }];
  const whenUsedUp = () => tellOfLockout(context, account);
  return [{ name: `login as ${usernameFolded}`, budget, whenUsedUp }, ...address];
}

/** What is said of a wrong password. */
export const WRONG_PASSWORD: Problem = {
  field: "password",
  code: "account_bad_password",
  message: "The password is not right.",
};

/**
 * Lets somebody prove once more that an account is his. Null where a provider says so, elsewhere the stored hash of the
 * password; undefined when he cannot. Counted as logins are; throws a 429, and a 503 when nobody can tell.
 */
export function provenOwner(
  context: RequestContext,
  { username, email, subject }: FoundAccount,
  password: string,
): Promise<string | null | undefined> {
  if (context.settings.IDENTITY_PROVIDER === "local") return provenPassword(context, { username, password });
  return attemptLogin(context, { kind: "username", username, password }, async () => {
    const result = await authenticate(context, { kind: "email", email, password });
    if (!result.ok && !isAttempt(result.reason)) throw unavailable(loginMessage(result.reason));
    const isHis = result.ok && result.identity.subject === subject;
    return isHis ? { value: null, failure: undefined } : { value: undefined, failure: WRONG_PASSWORD.code };
  });
}

/**
 * The stored hash of somebody's password if he knows it; undefined when he does not, or the account has none. Counted as
 * logins are: a session that was stolen is no way to guess the password. Throws a 429.
 */
export async function provenPassword(
  context: RequestContext,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<string | undefined> {
  const credentials: Credentials = { kind: "username", username, password };
  return attemptLogin(context, credentials, async () => {
    const stored = (await readPasswordHash(context.stores.patrons, username)) ?? undefined;
    const isClosed = isClosedHere(context, credentials, { username });
    const isRight = !isClosed && stored !== undefined && (await verifyPassword(password, stored)) !== "wrong";
    return isRight
      ? { value: stored, failure: undefined }
      : { value: undefined, failure: WRONG_PASSWORD.code };
  });
}
