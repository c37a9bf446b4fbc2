import { latestRecord } from "../../../catalog/document.ts";
import { findAccount } from "../../../db/accounts/read-accounts.ts";
import { readRecord } from "../../../db/records/records.ts";
import { newPasswordProblem } from "../../accounts/availability.ts";
import { replacePassword } from "../../accounts/password.ts";
import { logIn, provenPassword } from "../../accounts/authentication.ts";
import { doToAccount } from "../../admin/account-actions.ts";
import type { RequestContext, Session } from "../../http/operation.ts";
import { CarrelError, badData, permissionDenied } from "../../http/errors.ts";
import { readSession } from "../../http/session.ts";
import type { StoreCall } from "./call.ts";

/** Addresses from which the account `admin` may log in: this machine only. */
const TRUSTED_ADDRESSES: ReadonlySet<string> = new Set(["local", "127.0.0.1", "::1"]);

/** `POST /<site>/account/login`: opens a session; its token is sent as a cookie. */
export async function login({ context, argument }: StoreCall) {
  const [username, password] = [argument("username"), argument("password")];
  if (username.toLowerCase() === "admin" && !TRUSTED_ADDRESSES.has(context.client)) {
    throw permissionDenied(`Permission denied to login as admin from ${context.client}`);
  }
  try {
    await logIn(context, { credentials: { kind: "username", username, password }, remember: false });
  } catch (error) {
    if (!(error instanceof CarrelError) || error.status !== 400) throw error;
    throw badData("Login failed", { code: error.code });
  }
  return { ok: true };
}

/** `GET /<site>/account/get_user`: the record of the token's owner, with their email address; null without one. */
export async function currentUser({ context, database, patrons, optional }: StoreCall) {
  const session = await sessionOf(context, optional("token"));
  if (session === undefined) return null;
  const [row, account] = await Promise.all([
    readRecord(database, session.key),
    findAccount(patrons, session),
  ]);
  if (row === undefined || account === undefined || account.status === "blocked") return null;
  return { ...latestRecord(row), email: account.email };
}

/** Returns the session of a token among the arguments, else of the cookie. */
function sessionOf(context: RequestContext, token: string | undefined): Promise<Session | undefined> {
  if (token === undefined) return context.session();
  return readSession({ ...context, cookies: [] }, encodeURIComponent(token));
}

/** `POST /<site>/account/update_user`: changes the password or email address of the token's owner. */
export async function updateUser({ context, patrons, argument, optional }: StoreCall) {
  const password = argument("old_password");
  const [newPassword = "", email = ""] = [optional("new_password"), optional("email")];
  const session = await context.session();
  const account = session === undefined ? undefined : await findAccount(patrons, session);
  if (session === undefined || account === undefined) throw permissionDenied("Not logged in");
  const problem = newPassword === "" ? undefined : newPasswordProblem(context, newPassword, account);
  if (problem !== undefined) throw badData(problem.message);
  if ((await provenPassword(context, { username: account.username, password })) === undefined) {
    throw badData("Invalid password", { code: "account_bad_password" });
  }
  if (email !== "") await doToAccount(context, account, { action: "update_email", email });
  if (newPassword !== "") {
    const [wrong] = await replacePassword(context, session, { password, newPassword });
    if (wrong !== undefined) throw badData(wrong.message);
  }
  return null;
}
