import * as z from "zod";
import { deleteLink, findLink, takeLink } from "../../db/accounts/links.ts";
import { findAccount } from "../../db/accounts/read.ts";
import { activatePending, updatePassword } from "../../db/accounts/write.ts";
import { wantsHtml } from "../http/accept.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { privateJson } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { mailerOf } from "../platform/mail.ts";
import { messagePage } from "./account-page.ts";
import { WRONG_PASSWORD, provenPassword } from "./authentication.ts";
import { missingField, newPasswordProblem } from "./availability.ts";
import { CODE_FAILURES, attempt, byAddress } from "./budgets.ts";
import { mailAfterwards, passwordChangedLetter } from "./letters.ts";
import { ACCOUNT_BODY_BYTES } from "./login-form.ts";
import { ownSession } from "./own-session.ts";
import { hashPassword } from "./password-hash.ts";
import { changePasswordPage } from "./password-page.ts";
import { type Problem, problemsFound } from "./problems.ts";
import { providerPage } from "./provider-page.ts";

/** A password for another. */
interface PasswordWish {
  readonly password: string;
  readonly newPassword: string;
}

/**
 * Changes the password of the one whose session it is, and ends all his other sessions. Returns what is wrong; throws
 * a 429 after too many wrong passwords.
 */
export async function replacePassword(
  context: RequestContext,
  { username, id }: { readonly username: string; readonly id: string },
  { password, newPassword }: PasswordWish,
): Promise<readonly Problem[]> {
  const problems = [
    password === "" ? missingField("password") : undefined,
    newPassword === ""
      ? missingField("new_password")
      : newPasswordProblem(context, newPassword, "new_password"),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) return problems;
  const instead = await provenPassword(context, { username, password });
  if (instead === undefined) return [WRONG_PASSWORD];
  const passwordHash = await hashPassword(newPassword);
  // Somebody who has changed it in the meantime has the word.
  if (!(await updatePassword(context.stores.patrons, { username, passwordHash, instead }))) {
    return [WRONG_PASSWORD];
  }
  await passwordChanged(context, username, id);
  return [];
}

/** What follows from a new password: sessions and links that came before are void. */
async function passwordChanged(context: RequestContext, username: string, except = ""): Promise<void> {
  const { stores, sources } = context;
  await patronOf(stores, username).closeSessions(except, sources.now());
  await deleteLink(stores.patrons, username, "password");
  const account = await findAccount(stores.patrons, { username });
  if (account === undefined) return;
  const letter = passwordChangedLetter({ to: account.email, username: account.username });
  mailAfterwards(context, () => mailerOf(context).send(letter));
}

/** True when a code out of a mail can still set a password; the code stays good. */
export async function isResetCode(context: RequestContext, code: string): Promise<boolean> {
  const { stores, now } = context;
  return tried(context, async () => {
    const link = await findLink(stores.patrons, { code, purpose: "password", now });
    return link !== undefined;
  });
}

/** Sets a password by a code out of a mail, which is used up. False when the code is not good (any more). */
export async function setPasswordByCode(
  context: RequestContext,
  code: string,
  password: string,
): Promise<boolean> {
  const { stores, now } = context;
  const { patrons } = stores;
  if (!(await isResetCode(context, code))) return false;
  const passwordHash = await hashPassword(password);
  const link = await takeLink(patrons, { code, purpose: "password", now });
  const account = link === undefined ? undefined : await findAccount(patrons, link);
  // A mail to an address that is no longer his must not open the account, and none opens a blocked one.
  if (account === undefined || account.email !== link?.email || account.status === "blocked") return false;
  await updatePassword(patrons, { username: account.username, passwordHash });
  // Who reads the mail has the address: that is what the first mail was to find out.
  await activatePending(patrons, account.username);
  await passwordChanged(context, account.username);
  return true;
}

/** Looks for a code; those that are none are counted by address. */
function tried(context: RequestContext, look: () => Promise<boolean>): Promise<boolean> {
  return attempt(context, byAddress(context, "code", CODE_FAILURES), async () => {
    const value = await look();
    return { value, isCounted: !value };
  });
}

/** `POST /account/password`: another password for the old one. All other sessions end. */
export const changePassword = operation({
  id: "changePassword",
  summary: "Change the password",
  tag: "account",
  form: {
    password: z.string().default("").describe("Password until now"),
    new_password: z.string().default(""),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: { description: "Changed", schema: z.object({ status: z.literal("ok") }), also: ["text/html"] },
    303: { description: "To the identity provider, where that is done there" },
  },
  async handle({ form: { password, new_password: newPassword } }, context) {
    const elsewhere = providerPage(context, "settings");
    if (elsewhere !== undefined) return elsewhere;
    const problems = await replacePassword(context, await ownSession(context), { password, newPassword });
    const isPerson = wantsHtml(context.request);
    if (problems.length > 0) {
      if (isPerson) return changePasswordPage(problems);
      throw problemsFound(problems);
    }
    if (!isPerson) return privateJson({ status: "ok" });
    return messagePage({
      title: "Your password is changed",
      text: "You are still logged in here, and nowhere else.",
      link: { href: "/account", text: "Your account" },
    });
  },
});

/** `GET /account/password`: the form for another password. */
export const passwordForm = operation({
  id: "passwordPage",
  summary: "Page on which the password is changed",
  tag: "account",
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "To the identity provider, where passwords are changed there" },
  },
  handle: (_input, context) => providerPage(context, "settings") ?? changePasswordPage(),
});
