import { accountRecords } from "../../catalog/accounts.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { readPasswordHash } from "../../db/accounts/read-secrets.ts";
import { setAccount } from "../../db/accounts/write-accounts.ts";
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
/** Q148: the message does not say if the name or the password is wrong. */
const WRONG_LOGIN = "There is no account with this name and this password.";
const UNVERIFIED =
  "The e-mail address is not confirmed yet. Please follow the link in the mail that we sent you.";

/** English messages for the codes that programs get. */
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

/** Failures of the provider itself, which are not attempts to guess a password. */
const NO_ATTEMPT = new Set(["request_timeout", "security_error", "undefined_error", "max_retries_exceeded"]);

/** Returns the English message for a code. */
export function loginMessage(reason: AuthReason): string {
  return MESSAGES[reason] ?? `You could not be logged in (${reason}).`;
}

/** True if a failed login may have been an attempt to guess. */
export function isAttempt(reason: AuthReason): boolean {
  return !NO_ATTEMPT.has(reason);
}

/** Builds the 400 of a failed login (Q150), with a code for programs and a message for people. */
export function loginFailed(reason: AuthReason): CarrelError {
  const message = loginMessage(reason);
  return new CarrelError(400, reason, {
    message,
    body: { detail: message, error: reason, errorDisplayString: message },
  });
}

/**
 * Creates the preferences of a new account and its three catalog records, the records as one change. If this fails
 * half-way, the next login creates the rest; two concurrent logins create the records once.
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
  // A conflict: the records exist already, from an interrupted attempt, a concurrent login or a dump.
  if (result.ok || result.failures[0]?.error !== "conflict") finish(context, result);
  await setAccount(context.stores.patrons, username, { hasRecords: true });
}

/** Characters of an unknown name used in the key of its failure budget. */
const COUNTED_NAME_LENGTH = 300;

export type Credentials =
  | { readonly kind: "email"; readonly email: string; readonly password: string }
  | { readonly kind: "username"; readonly username: string; readonly password: string }
  | { readonly kind: "keys"; readonly access: string; readonly secret: string };

export type LoggedIn = Login & { readonly ok: true };

/**
 * Logs a patron in: checks the credentials within the failure budgets, finds or creates the account, opens a session
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

/** Checks credentials within the failure budgets, and finds or creates the account. Throws 429. */
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
  // Usernames always refer to accounts of this service itself, with any provider: for development and bots.
  return authenticateAccount(context.stores.patrons, account, credentials.password);
}

/**
 * True for the publicly known credentials of development accounts (the password is the username, the secret is the
 * access key) if the request does not come from the machine of the development service.
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

/** Runs a login attempt within the failure budgets; throws 429. Failures are audited. */
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

/** Returns the account that the credentials name; undefined if there is none. */
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

/** Opens a session after a successful login; throws if the account has been barred in the meantime. */
export async function admit(context: RequestContext, login: LoggedIn, remember: boolean): Promise<void> {
  await makeAccountRecords(context, login);
  if (!(await openSession(context, { username: login.username, remember }))) {
    throw loginFailed("undefined_error");
  }
  await setLoginCookies(context, login, remember);
  await rememberDevice(context, login.username);
  await audit(context, { event: "login", actor: `/people/${login.username}` });
}

/** Finds or creates the account of an authenticated identity. */
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
 * Returns the failure budgets of a login: the device's if the account knows the device, otherwise the account's (one
 * for all names of the account) and the address's. Keys, which are too long to be guessed from many addresses, have the
 * address's only.
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

export const WRONG_PASSWORD: Problem = {
  field: "password",
  code: "account_bad_password",
  message: "The password is not right.",
};

/**
 * Re-authenticates the owner of an account. Returns null if a remote provider confirms the password, the stored hash of
 * the password if this service keeps it, undefined if the password is wrong. Counts as a login attempt; throws 429, and
 * 503 if the provider cannot answer.
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
 * Returns the stored hash of a patron's password if the given one is right; undefined if it is wrong or the account has
 * none. Counts as a login attempt, so that a stolen session cannot be used to guess the password. Throws 429.
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
