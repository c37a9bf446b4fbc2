import { isEmail, usernameProblem } from "../../catalog/accounts.ts";
import { datetimeText } from "../../catalog/datetime.ts";
import { checkApiKey, readPasswordHash } from "../../db/accounts/read-secrets.ts";
import { LINK_SECONDS, rehashPassword, takeLink, updatePassword } from "../../db/accounts/write-secrets.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read.ts";
import { createAccount, deleteRegistrations } from "../../db/accounts/registrations.ts";
import { secretHash } from "../../db/accounts/secret-hash.ts";
import { activatePending } from "../../db/accounts/write.ts";
import type { RequestContext } from "../http/operation.ts";
import { patronOf } from "../http/session.ts";
import { mailerOf } from "../platform/mail.ts";
import {
  type AuthResult,
  type Identity,
  type IdentityProvider,
  type OneTimePasswords,
  type RegistrationForm,
  refused,
} from "./identity.ts";
import { codeLetter } from "./letters.ts";
import { NO_PASSWORD, PASSWORD_LENGTH, hashPassword, verifyPassword } from "./password-hash.ts";

/** What the local provider needs; `prefix`: that of record ids, as usernames must not look like one. */
type LocalOptions = { readonly patrons: D1Database; readonly prefix: string; readonly now: number };

/** The provider whose identities are the accounts of this service itself. */
export function localProvider(options: LocalOptions): IdentityProvider {
  const { patrons } = options;
  return {
    authenticate: async (email, password) => {
      const address = email.trim();
      if (!isEmail(address)) return refused("invalid_email");
      return authenticateAccount(patrons, await findAccount(patrons, { email: address }), password);
    },
    authenticateKeys: async (access, secret) => {
      const owner = await checkApiKey(patrons, { access, secret }, options.now);
      return owner === undefined ? refused("invalid_s3keys") : admitted(owner);
    },
    lookup: async (who) => {
      const account = await findAccount(patrons, who);
      return account === undefined ? null : identityOf(account);
    },
    register: (form) => register(options, form),
    activate: (token, password) => activate(options, token, password),
  };
}

/** Checks the password of an account that was found. A hash of an older cost is replaced. */
export async function authenticateAccount(
  patrons: D1Database,
  account: FoundAccount | undefined,
  password: string,
): Promise<AuthResult> {
  // Q148: the same work where there is nothing to compare with.
  const stored = account && (await readPasswordHash(patrons, account.username));
  const verdict = await verifyPassword(password, stored ?? NO_PASSWORD);
  if (account === undefined) return refused("account_not_found");
  if (typeof stored !== "string") return refused("account_bad_password");
  const { username } = account;
  if (verdict === "wrong") return refused("account_bad_password");
  if (verdict === "outdated") {
    await rehashPassword(patrons, { username, passwordHash: await hashPassword(password), instead: stored });
  }
  return admitted(account);
}

/** Q142: only who knows the password or the keys learns what is the matter with the account. */
function admitted(account: FoundAccount): AuthResult {
  if (account.status === "pending") return refused("account_not_verified");
  if (account.status === "blocked") return refused("account_blocked");
  return { ok: true, identity: identityOf(account) };
}

async function register(
  { patrons, prefix, now }: LocalOptions,
  { email, password, screenName }: RegistrationForm,
): Promise<AuthResult> {
  const address = email.trim();
  const username = screenName.trim();
  if (!isEmail(address)) return refused("bad_email");
  if (password.length < PASSWORD_LENGTH.min || password.length > PASSWORD_LENGTH.max) {
    return refused("bad_password");
  }
  if (usernameProblem(username, prefix) !== undefined) return refused("bad_username");
  const since = datetimeText(now - LINK_SECONDS.verify * 1000);
  await deleteRegistrations(patrons, { username, email: address, since });
  const created = await createAccount(patrons, {
    username,
    email: address,
    displayname: username,
    passwordHash: await hashPassword(password),
    status: "pending",
    created: datetimeText(now),
  });
  if (!created.ok)
    return refused(created.taken.includes("email") ? "email_registered" : "username_registered");
  const account = await findAccount(patrons, { username });
  return account === undefined ? refused("undefined_error") : { ok: true, identity: identityOf(account) };
}

async function activate(
  { patrons, now }: LocalOptions,
  token: string,
  password: string,
): Promise<AuthResult> {
  const link = await takeLink(patrons, { code: token, purpose: "verify", now });
  const account = link === undefined ? undefined : await findAccount(patrons, link);
  // A mail proves nothing about an address that the account has got since, and must not undo a block.
  if (account === undefined || account.email !== link?.email) return refused("account_not_found");
  if (account.status === "blocked") return refused("account_blocked");
  if (account.status !== "pending") return refused("account_not_found");
  const { username } = account;
  // First, so that the password of whoever has registered never opens the account (Q146).
  await updatePassword(patrons, { username, passwordHash: await hashPassword(password) });
  await activatePending(patrons, username);
  return { ok: true, identity: identityOf({ ...account, status: "active" }) };
}

function identityOf(account: FoundAccount): Identity {
  const { username, email, displayname, status, specialAccess } = account;
  return {
    subject: account.subject ?? "",
    email,
    emailVerified: status !== "pending",
    screenName: displayname,
    wish: username,
    locked: status === "blocked",
    specialAccess,
    account: username,
  };
}

/** Whose code is asked for where there is no account: the work is the same, and a blank is in no username. */
const NOBODY = " nobody";
/** Digits of a code, and how long it works, in milliseconds. */
const CODE_DIGITS = 6;
const CODE_MS = 600_000;

/** Codes by mail for the accounts of this service itself. Only active ones get any; nobody is told which those are. */
export function localOneTimePasswords(
  context: Pick<RequestContext, "settings" | "stores" | "now">,
): OneTimePasswords {
  const { stores, now } = context;
  return {
    async issue(address) {
      const account = await findAccount(stores.patrons, { email: address });
      if (account?.status !== "active") return { ok: true };
      const { username, email } = account;
      const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
      const code = String(number % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, "0");
      await patronOf(stores, username).setCode(hashOf(email, code), now + CODE_MS);
      await mailerOf(context).send(codeLetter({ to: email, username, code }));
      return { ok: true };
    },
    async redeem(email, code) {
      const account = await findAccount(stores.patrons, { email });
      const patron = patronOf(stores, account?.username ?? NOBODY);
      const isRight = await patron.takeCode(hashOf(email, code), now);
      return isRight && account !== undefined ? admitted(account) : refused("invalid_otp");
    },
  };
}

/** With the address, so that a code is worth nothing once the account has another one. */
function hashOf(email: string, code: string): string {
  return secretHash(`${email.toLowerCase()} ${code}`);
}
