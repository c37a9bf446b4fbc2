import { buildAccountRecords } from "../../catalog/accounts.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { readPasswordHash } from "../../db/accounts/read-secrets.ts";
import { noteLanguage, setAccount } from "../../db/accounts/write-accounts.ts";
import { preferredLanguage } from "../http/pages/reader.ts";
import { completeSave, trySave } from "../editing/save-change.ts";
import { failure } from "../http/failure.ts";
import { isLocalDevelopment } from "../http/access.ts";
import type { RequestContext } from "../http/operation.ts";
import { openSession, patronOf } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { type Problem, missingField, toValidationError } from "./account-form.ts";
import { type AttemptBucket, LOGIN_FAILURES, attempt, byAddress } from "./budgets.ts";
import { emailLockout } from "./account-emails.ts";
import { identityProvider } from "./identity-provider.ts";
import type { AuthReason, AuthResult } from "./identity.ts";
import { type Login, completeLogin } from "./link-identity.ts";
import { authenticateAccount } from "./local-provider.ts";
import { findKnownDevice, rememberDevice, setLoginCookies } from "./login-cookies.ts";
import { isLoginElsewhere, requireRecentLogin } from "./login-elsewhere.ts";
import { isAttempt, loginFailed } from "./login-failures.ts";
import { verifyPassword } from "./password-hash.ts";
import { NEW_PREFERENCES } from "./preferences.ts";

/** Characters of an unknown name used in the key of its failure budget. */
const COUNTED_NAME_LENGTH = 300;

export type Credentials =
  | { kind: "email"; email: string; password: string }
  | { kind: "username"; username: string; password: string }
  | { kind: "keys"; access: string; secret: string };

export type LoggedIn = Login & { readonly ok: true };

/**
 * Logs a patron in: checks the credentials within the failure budgets, finds or creates the account, opens a session
 * and sets the cookies. Throws 400 with the reason, or 429.
 */
export async function logIn(
  context: RequestContext,
  { credentials, remember }: { credentials: Credentials; remember: boolean },
): Promise<LoggedIn> {
  const login = await checkLogin(context, credentials);
  if (!login.ok) throw loginFailed(login.reason);
  await startSession(context, login, remember);
  return login;
}

/** Checks credentials within the failure budgets, and finds or creates the account. Throws 429, or 400 (Q856). */
export async function checkLogin(context: RequestContext, credentials: Credentials): Promise<Login> {
  if (credentials.kind !== "keys" && isLoginElsewhere(context.settings)) throw loginFailed("password_login");
  return attemptLogin(context, credentials, async (account) => {
    const login = await completeLogin(context, await authenticate(context, credentials, account));
    return { value: login, failure: login.ok ? undefined : login.reason };
  });
}

/**
 * Runs a login attempt within the failure budgets and audits its failure. `check` gets the account that the credentials
 * name, if there is one. Throws 429.
 */
export async function attemptLogin<Value>(
  context: RequestContext,
  credentials: Credentials,
  check: (account?: FoundAccount) => Promise<{ value: Value; failure: AuthReason | undefined }>,
): Promise<Value> {
  const { patrons } = context.stores;
  let account: FoundAccount | undefined;
  if (credentials.kind === "email") account = await findAccount(patrons, { email: credentials.email.trim() });
  if (credentials.kind === "username") account = await findAccount(patrons, credentials);
  const subject = account && `/people/${account.username}`;
  return attempt(
    context,
    await loginBuckets(context, credentials, account),
    async () => {
      const { value, failure: reason } = await check(account);
      if (reason !== undefined) await audit(context, { event: "login-failed", subject, details: { reason } });
      return { value, isCounted: reason !== undefined && isAttempt(reason) };
    },
    () => audit(context, { event: "login-throttled", subject }),
  );
}

/**
 * Returns the failure buckets of a login: the device's if the account knows the device, otherwise the account's (one
 * for all names of the account) and the address's. Keys, which are too long to be guessed from many addresses, have the
 * address's only.
 */
async function loginBuckets(
  context: RequestContext,
  credentials: Credentials,
  account: FoundAccount | undefined,
): Promise<AttemptBucket[]> {
  const budget = LOGIN_FAILURES;
  const address = byAddress(context, "login", budget);
  if (credentials.kind === "keys") return address;
  if (account === undefined) {
    const name = credentials.kind === "email" ? credentials.email.trim() : credentials.username;
    const counted = name.toLowerCase().slice(0, COUNTED_NAME_LENGTH);
    return [{ name: `login as unknown ${counted}`, budget }, ...address];
  }
  const { usernameFolded } = account;
  const device = await findKnownDevice(context, usernameFolded);
  if (device !== undefined) return [{ name: `login as ${usernameFolded} on ${device}`, budget }];
  const onUsedUp = () => emailLockout(context, account);
  return [{ name: `login as ${usernameFolded}`, budget, onUsedUp }, ...address];
}

async function authenticate(
  context: RequestContext,
  credentials: Credentials,
  account: FoundAccount | undefined,
): Promise<AuthResult> {
  if (isClosedHere(context, credentials, account)) return { ok: false, reason: "account_not_found" };
  switch (credentials.kind) {
    case "keys":
      return identityProvider(context).authenticateKeys(credentials.access, credentials.secret);
    case "email":
      return identityProvider(context).authenticate(credentials.email, credentials.password, {
        ip: context.client,
      });
    case "username":
      // Usernames always refer to accounts of this service itself, with any provider: for development and bots.
      return authenticateAccount(context.stores.patrons, account, credentials.password);
  }
}

/**
 * True for the publicly known credentials of development accounts (the password is the username, the secret is the
 * access key) if the request does not come from the machine of a development service. A service for users may have
 * such accounts in a state that `npm start` has begun. Passwords of other providers are their own matter.
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
  const { ENVIRONMENT, IDENTITY_PROVIDER: provider } = context.settings;
  const isOurs = credentials.kind === "keys" || provider === "local" || ENVIRONMENT === "development";
  return isKnown && isOurs && !isLocalDevelopment(context);
}

/** Opens a session after a successful login. Throws 400 if the account has been barred in the meantime. */
export async function startSession(context: RequestContext, login: LoggedIn, remember: boolean) {
  await makeAccountRecords(context, login);
  if (!(await openSession(context, { username: login.username, remember }))) {
    throw loginFailed("undefined_error");
  }
  await setLoginCookies(context, login, remember);
  const language = preferredLanguage(context.request);
  await Promise.all([
    rememberDevice(context, login.username),
    language !== undefined && noteLanguage(context.stores.patrons, login.username, language),
  ]);
  await audit(context, { event: "login", actor: `/people/${login.username}` });
}

/**
 * Creates the preferences of a new account and its three catalog records, the records as one change. If this fails
 * half-way, the next login creates the rest; two concurrent logins create the records once.
 */
export async function makeAccountRecords(context: RequestContext, login: LoggedIn): Promise<void> {
  const { username, displayname, created } = login;
  if (!created) return;
  await patronOf(context.stores, username).addPreferences(NEW_PREFERENCES);
  const documents = buildAccountRecords(username, displayname);
  const result = await trySave(context, {
    documents,
    kind: "new-account",
    comment: "Created new account.",
    author: `/people/${username}`,
    authority: "service",
    expected: Object.fromEntries(documents.map(({ key }) => [String(key), 0])),
  });
  // A conflict: the records exist already, from an interrupted attempt, a concurrent login or a dump.
  if (result.ok || result.failures[0]?.error !== "conflict") completeSave(context, result);
  await setAccount(context.stores.patrons, username, { hasRecords: true });
}

export const WRONG_PASSWORD = {
  field: "password",
  code: "account_bad_password",
  text: { key: "bad_data.wrong_password" },
} as const satisfies Problem;

/**
 * Re-authenticates the owner of an account by a typed password, or a recent login. Returns null if a remote provider confirms
 * it, the stored hash of the password if this service keeps it. Counts as a login attempt; throws 422 for a wrong password and for none,
 * 429, and 503 if the provider cannot answer.
 */
export async function confirmPassword(
  context: RequestContext,
  { username, email, subject }: FoundAccount,
  password: string,
): Promise<string | null> {
  if (isLoginElsewhere(context.settings)) return requireRecentLogin(context);
  if (password === "") throw toValidationError([missingField("password")]);
  const proof =
    context.settings.IDENTITY_PROVIDER === "local"
      ? await verifyOwnPassword(context, { username, password })
      : await attemptLogin(context, { kind: "username", username, password }, async () => {
          const result = await identityProvider(context).authenticate(email, password, {
            ip: context.client,
          });
          if (!result.ok && !isAttempt(result.reason)) throw failure("unavailable.accounts");
          return result.ok && result.identity.subject === subject
            ? { value: null, failure: undefined }
            : { value: undefined, failure: WRONG_PASSWORD.code };
        });
  if (proof === undefined) throw toValidationError([WRONG_PASSWORD]);
  return proof;
}

/**
 * Returns the stored hash of a patron's password if the given one is right; undefined if it is wrong or the account has
 * none. Counts as a login attempt, so that a stolen session cannot be used to guess the password. Throws 429.
 */
export async function verifyOwnPassword(
  context: RequestContext,
  { username, password }: { username: string; password: string },
): Promise<string | undefined> {
  const credentials: Credentials = { kind: "username", username, password };
  return attemptLogin(context, credentials, async () => {
    const stored = (await readPasswordHash(context.stores.patrons, username)) ?? undefined;
    const isClosed = isClosedHere(context, credentials, { username });
    const isRight = !isClosed && stored !== undefined && (await verifyPassword(password, stored)) !== "wrong";
    return { value: isRight ? stored : undefined, failure: isRight ? undefined : WRONG_PASSWORD.code };
  });
}
