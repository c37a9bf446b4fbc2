import * as z from "zod";
import { EMAIL_LENGTH_MAX, isEmail, checkUsername } from "../../../catalog/accounts.ts";
import { formatDatetime } from "../../../catalog/datetime.ts";
import {
  type Profile,
  type FoundAccount,
  findAccount,
  readProfile,
} from "../../../db/accounts/read-accounts.ts";
import { insertAccount } from "../../../db/accounts/registrations.ts";
import { ACCOUNT_TAGS_MAX, setAccount } from "../../../db/accounts/write-accounts.ts";
import { readRecord } from "../../../db/records/records.ts";
import { findUserKey } from "../../../db/records/users.ts";
import { hashPassword } from "../../accounts/password-hash.ts";
import { ACCOUNT_TAG_LENGTH, runAccountAction, setPassword } from "../../admin/account-actions.ts";
import { accountDocument } from "./views.ts";
import type { StoreCall } from "./call.ts";
import { latestRecordOf } from "../../../catalog/document.ts";
import { newPasswordProblem } from "../../accounts/availability.ts";
import { replacePassword } from "../../accounts/password.ts";
import { logIn, verifyOwnPassword } from "../../accounts/authentication.ts";
import { readSession } from "../../http/session.ts";
import { Failure, failure } from "../../http/failure.ts";

const PROFILE_LENGTH = 10_000;
/** Longest password that a service may give an account, in characters: comparisons accept longer ones. */
const SERVICE_PASSWORD_LENGTH = 128;

/** `GET /<site>/account/find`: the account with a `username` or an `email`; null if there is none. */
export async function findByNameOrEmail({ patrons, optional }: StoreCall) {
  const [username, email] = [optional("username"), optional("email")];
  if (username === undefined && email === undefined) throw failure("bad_data.argument", { name: "username" });
  const account = await findAccount(patrons, username === undefined ? { email: email ?? "" } : { username });
  return account === undefined
    ? null
    : accountDocument(account, await readProfile(patrons, account.username));
}

export async function usernameOfEmail({ patrons, argument }: StoreCall) {
  return (await findAccount(patrons, { email: argument("email") }))?.username ?? null;
}

/** `POST /<site>/account/register`: creates an account that waits for `activate`; other fields are its profile. */
export async function register(call: StoreCall) {
  const { context, patrons, settings } = call;
  const [username, password] = [call.argument("username"), requirePassword(call.argument("password"))];
  const email = call.argument("email").trim();
  const { username: _, password: __, email: ___, ...profile } = call.arguments();
  const problem = checkUsername(username, settings.RECORD_PREFIX);
  if (problem !== undefined) throw failure("bad_data.username", { username });
  if (email.length > EMAIL_LENGTH_MAX || !isEmail(email)) throw failure("bad_data.email");
  checkProfile(profile);
  if (await hasRecords(call, username)) throw failure("bad_data.user_exists", { username });
  const created = await insertAccount(patrons, {
    username,
    email,
    displayname: profile["displayname"] ?? username,
    passwordHash: await hashPassword(password),
    status: "pending",
    created: formatDatetime(context.now),
  });
  if (!created.ok) {
    throw created.taken.includes("username")
      ? failure("bad_data.user_exists", { username })
      : failure("bad_data.email_used", { email });
  }
  await setAccount(patrons, username, { data: profile });
  return { activation_code: null, email };
}

/** Returns true if records exist under a username: another account must not inherit those of a removed one. */
async function hasRecords({ database }: StoreCall, username: string): Promise<boolean> {
  const [user, record] = await Promise.all([
    findUserKey(database, username),
    readRecord(database, `/people/${username}`),
  ]);
  return user !== undefined || record !== undefined;
}

/** `POST /<site>/account/activate`: creates the account's records, and lets its owner log in. */
export async function activate({ context, patrons, argument }: StoreCall) {
  const account = await findAccount(patrons, { username: argument("username") });
  if (account === undefined) throw noAccount("bad_data.account_activation");
  await runAccountAction(context, account, { action: "activate_account" });
  return { ok: "true" };
}

function noAccount(key: "bad_data.account_activation" | "bad_data.account_update"): Failure {
  return failure(key, {}, { members: { error_code: "account_not_found" } });
}

/** Checks a password that a service gives an account; the main site keeps the rules for patrons (Q176). */
function requirePassword(password: string): string {
  if (password !== "" && password.length <= SERVICE_PASSWORD_LENGTH) return password;
  throw failure("bad_data.password_length", { min: 1, max: SERVICE_PASSWORD_LENGTH });
}

function checkProfile(profile: Profile): void {
  if (JSON.stringify(profile).length > PROFILE_LENGTH) {
    throw failure("bad_data.profile", { most: PROFILE_LENGTH });
  }
}

const flag = z
  .string()
  .regex(/^(?:true|false)$/i)
  .transform((text) => text.toLowerCase() === "true");
const jsonOf = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        context.addIssue({ code: "custom", message: "Bad JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** Members of an account that services set; the others are the service's own (Q178). */
const changes = z.strictObject({
  email: z.string().optional(),
  password: z.string().optional(),
  status: z.enum(["active", "blocked"]).optional(),
  bot: flag.optional(),
  tags: jsonOf(z.array(z.string().min(1).max(ACCOUNT_TAG_LENGTH)).max(ACCOUNT_TAGS_MAX)).optional(),
  data: jsonOf(z.record(z.string(), z.string())).optional(),
});
type Changes = z.infer<typeof changes>;

/** `POST /<site>/account/update`: changes members of an account on behalf of another service. */
export async function updateAccount(call: StoreCall) {
  if (!(await update(call))) throw noAccount("bad_data.account_update");
  return { ok: "true" };
}

/** `POST /<site>/account/update_user_details`: older form of `account/update`. */
export async function updateDetails(call: StoreCall) {
  if (await update(call)) return "ok";
  const username = call.argument("username");
  throw new Failure(404, "user_notfound", { body: { error: "user_notfound", username } });
}

async function update(call: StoreCall): Promise<boolean> {
  const account = await findAccount(call.patrons, { username: call.argument("username") });
  if (account === undefined) return false;
  const { username: _, ...members } = call.arguments();
  const parsed = changes.safeParse(members);
  if (!parsed.success) throw failure("bad_data.account", { reason: z.prettifyError(parsed.error) });
  await apply(call, account, parsed.data);
  return true;
}

/** Applies the changes; those that can be refused come first. */
async function apply({ context, patrons }: StoreCall, account: FoundAccount, requested: Changes) {
  const { email, password, status, bot, tags, data } = requested;
  const { username } = account;
  if (data !== undefined) checkProfile(data);
  if (password !== undefined) requirePassword(password);
  if (email !== undefined) await runAccountAction(context, account, { action: "update_email", email });
  if (password !== undefined) await setPassword(context, username, password);
  if (bot !== undefined) await runAccountAction(context, account, { action: "set_bot_flag", bot });
  if (tags !== undefined) await setAccount(patrons, username, { tags: [...new Set(tags)] });
  if (data !== undefined) await setAccount(patrons, username, { data });
  if (status === undefined || status === account.status) return;
  await runAccountAction(context, account, { action: actionOf(account, status) });
}

function actionOf({ status: before }: FoundAccount, status: "active" | "blocked") {
  if (status === "blocked") return "block_account";
  return before === "blocked" ? "unblock_account" : "activate_account";
}

/** Addresses from which the account `admin` may log in: this machine only. */
const TRUSTED_ADDRESSES: ReadonlySet<string> = new Set(["local", "127.0.0.1", "::1"]);

/** `POST /<site>/account/login`: opens a session; its token is sent as a cookie. */
export async function storeLogin({ context, argument }: StoreCall) {
  const [username, password] = [argument("username"), argument("password")];
  if (username.toLowerCase() === "admin" && !TRUSTED_ADDRESSES.has(context.client)) {
    throw failure("permission_denied.admin_login", { address: context.client });
  }
  try {
    await logIn(context, { credentials: { kind: "username", username, password }, remember: false });
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 400) throw error;
    throw failure("bad_data.login", {}, { members: { code: error.code } });
  }
  return { ok: true };
}

/**
 * `GET /<site>/account/get_user`: the record of the token's owner, with their email address; null without one. The token
 * is an argument or a cookie.
 */
export async function getCurrentUser({ context, database, patrons, optional }: StoreCall) {
  const token = optional("token");
  const session =
    token === undefined
      ? await context.session()
      : await readSession({ ...context, cookies: [] }, encodeURIComponent(token));
  if (session === undefined) return null;
  const [row, account] = await Promise.all([
    readRecord(database, session.key),
    findAccount(patrons, session),
  ]);
  if (row === undefined || account === undefined || account.status === "blocked") return null;
  return { ...latestRecordOf(row), email: account.email };
}

/** `POST /<site>/account/update_user`: changes the password or email address of the token's owner. */
export async function updateUser({ context, patrons, argument, optional }: StoreCall) {
  const password = argument("old_password");
  const [newPassword = "", email = ""] = [optional("new_password"), optional("email")];
  const session = await context.session();
  const account = session === undefined ? undefined : await findAccount(patrons, session);
  if (session === undefined || account === undefined) throw failure("permission_denied.not_logged_in");
  const problem = newPassword === "" ? undefined : newPasswordProblem(context, newPassword, account);
  if (problem !== undefined) throw failure(problem.text.key, problem.text.values);
  if ((await verifyOwnPassword(context, { username: account.username, password })) === undefined) {
    throw failure("bad_data.password", {}, { members: { code: "account_bad_password" } });
  }
  if (email !== "") await runAccountAction(context, account, { action: "update_email", email });
  if (newPassword !== "") {
    const [wrong] = await replacePassword(context, session, { password, newPassword });
    if (wrong !== undefined) throw failure(wrong.text.key, wrong.text.values);
  }
  return null;
}
