import { isEmail, checkUsername } from "../../catalog/accounts.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { checkApiKey, readPasswordHash } from "../../db/accounts/read-secrets.ts";
import { secretHash } from "../../db/accounts/secret-hash.ts";
import { LINK_SECONDS, rehashPassword, takeLink, updatePassword } from "../../db/accounts/write-secrets.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { insertAccount, deleteRegistrations } from "../../db/accounts/registrations.ts";
import { activatePending } from "../../db/accounts/write-accounts.ts";
import type { RequestContext } from "../http/operation.ts";
import { patronOf } from "../http/session.ts";
import { mailerOf } from "../platform/mail.ts";
import { type AuthResult, type Identity, type IdentityProvider, refuse } from "./identity.ts";
import { NO_PASSWORD, PASSWORD_LENGTH, hashPassword, verifyPassword } from "./password-hash.ts";

/** Username for checking a code if there is no account: the work is the same, and no username contains a space. */
const NO_USERNAME = " none";
const CODE_DIGITS = 6;
const CODE_MS = 600_000;

type LocalContext = Pick<RequestContext, "settings" | "stores" | "now"> &
  Partial<Pick<RequestContext, "request">>;

/** Creates the provider whose identities are the accounts of this service itself. */
export function localProvider(context: LocalContext): IdentityProvider {
  const { settings, stores, now } = context;
  const { patrons } = stores;
  return {
    async authenticate(email, password) {
      const address = email.trim();
      if (!isEmail(address)) return refuse("invalid_email");
      return authenticateAccount(patrons, await findAccount(patrons, { email: address }), password);
    },
    async authenticateKeys(access, secret) {
      const owner = await checkApiKey(patrons, { access, secret }, now);
      return owner === undefined ? refuse("invalid_s3keys") : identify(owner);
    },
    async lookup(who) {
      const account = await findAccount(patrons, who);
      return account === undefined ? null : identityOf(account);
    },
    async register({ email, password, screenName }) {
      const address = email.trim();
      const username = screenName.trim();
      if (!isEmail(address)) return refuse("bad_email");
      if (password.length < PASSWORD_LENGTH.min || password.length > PASSWORD_LENGTH.max) {
        return refuse("bad_password");
      }
      if (checkUsername(username, settings.RECORD_PREFIX) !== undefined) return refuse("bad_username");
      const since = formatDatetime(now - LINK_SECONDS.verify * 1000);
      await deleteRegistrations(patrons, { username, email: address, since });
      const created = await insertAccount(patrons, {
        username,
        email: address,
        displayname: username,
        passwordHash: await hashPassword(password),
        status: "pending",
        created: formatDatetime(now),
      });
      if (!created.ok)
        return refuse(created.taken.includes("email") ? "email_registered" : "username_registered");
      const account = await findAccount(patrons, { username });
      return account === undefined ? refuse("undefined_error") : { ok: true, identity: identityOf(account) };
    },
    async activate(token, password) {
      const link = await takeLink(patrons, { code: token, purpose: "verify", now });
      const account = link === undefined ? undefined : await findAccount(patrons, link);
      // An email proves nothing about an address that the account has got since, and must not undo a block.
      if (account === undefined || account.email !== link?.email) return refuse("account_not_found");
      if (account.status === "blocked") return refuse("account_blocked");
      if (account.status !== "pending") return refuse("account_not_found");
      const { username } = account;
      // Set first, so that the password chosen at the registration never opens the account (Q146).
      await updatePassword(patrons, { username, passwordHash: await hashPassword(password) });
      await activatePending(patrons, username);
      return { ok: true, identity: identityOf({ ...account, status: "active" }) };
    },
    otp: oneTimePasswords(context),
  };
}

/** Emails codes to active accounts of this service. The response does not reveal which accounts are active. */
function oneTimePasswords(context: LocalContext): NonNullable<IdentityProvider["otp"]> {
  const { stores, now } = context;
  return {
    async issue(address) {
      const account = await findAccount(stores.patrons, { email: address });
      if (account?.status !== "active") return { ok: true };
      const { username, email: to } = account;
      const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
      const code = String(number % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, "0");
      await patronOf(stores, username).setCode(codeHash(to, code), now + CODE_MS);
      await mailerOf(context).send(account, () => ({
        subject: "mail.code_subject",
        paragraphs: ["mail.code", { plain: code }, "mail.code_life"],
      }));
      return { ok: true };
    },
    async redeem(email, code) {
      const account = await findAccount(stores.patrons, { email });
      const patron = patronOf(stores, account?.username ?? NO_USERNAME);
      const isRight = await patron.takeCode(codeHash(email, code), now);
      return isRight && account !== undefined ? identify(account) : refuse("invalid_otp");
    },
  };
}

/** Checks the password of an account. A hash of an older cost is replaced. */
export async function authenticateAccount(
  patrons: D1Database,
  account: FoundAccount | undefined,
  password: string,
): Promise<AuthResult> {
  // Q148: the work is the same if there is no hash to compare with.
  const stored = account && (await readPasswordHash(patrons, account.username));
  const verdict = await verifyPassword(password, stored ?? NO_PASSWORD);
  if (account === undefined) return refuse("account_not_found");
  if (typeof stored !== "string") return refuse("account_bad_password");
  const { username } = account;
  if (verdict === "wrong") return refuse("account_bad_password");
  if (verdict === "outdated") {
    await rehashPassword(patrons, { username, passwordHash: await hashPassword(password), instead: stored });
  }
  return identify(account);
}

/** Q142: only a caller with the right password or keys learns the state of the account. */
function identify(account: FoundAccount): AuthResult {
  if (account.status === "pending") return refuse("account_not_verified");
  if (account.status === "blocked") return refuse("account_blocked");
  return { ok: true, identity: identityOf(account) };
}

function identityOf(account: FoundAccount): Identity {
  const { username, email, displayname, status, specialAccess } = account;
  return {
    subject: account.subject ?? "",
    email,
    emailVerified: status !== "pending",
    screenName: displayname,
    preferredName: username,
    locked: status === "blocked",
    specialAccess,
    account: username,
  };
}

/** Hashes a code with its address, so that the code becomes worthless once the account has another one. */
function codeHash(email: string, code: string): string {
  return secretHash(`${email.toLowerCase()} ${code}`);
}
