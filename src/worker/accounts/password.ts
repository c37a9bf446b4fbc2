import * as z from "zod";
import { updatePassword } from "../../db/accounts/write-secrets.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { type RequestContext, type Session, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { mailerOf } from "../platform/mail.ts";
import {
  type Problem,
  ACCOUNT_BODY_BYTES,
  formAnswer,
  formPage,
  newPasswordField,
  passwordField,
} from "./account-form.ts";
import { TO_ACCOUNT } from "./account-page.ts";
import { WRONG_PASSWORD, provenPassword } from "./authentication.ts";
import { missingField, newPasswordProblem } from "./availability.ts";
import { say } from "../ui/words.ts";
import { unlessElsewhere } from "./identity-provider.ts";
import { mailAfterwards, passwordChangedLetter } from "./letters.ts";
import { ownSession } from "./own-session.ts";
import { hashPassword } from "./password-hash.ts";

/** `POST /account/password`: replaces the old password. Ends all other sessions and the keys for programs. */
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
  handle: unlessElsewhere("settings", async ({ form: { password, new_password: newPassword } }, context) => {
    const problems = await replacePassword(context, await ownSession(context), { password, newPassword });
    return formAnswer(context, {
      problems,
      again: () => changePasswordPage(problems),
      json: { status: "ok" },
      message: {
        title: say("accounts.password_changed"),
        text: say("accounts.password_changed_why"),
        link: TO_ACCOUNT,
      },
    });
  }),
});

/** Changes a password and ends all other sessions. Returns the problems; throws 429 after too many attempts. */
export async function replacePassword(
  context: RequestContext,
  { username, id }: Pick<Session, "username" | "id">,
  { password, newPassword }: { readonly password: string; readonly newPassword: string },
): Promise<readonly Problem[]> {
  const problems = [
    password === "" ? missingField("password") : undefined,
    newPasswordProblem(context, newPassword, { username, field: "new_password" }),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) return problems;
  const instead = await provenPassword(context, { username, password });
  if (instead === undefined) return [WRONG_PASSWORD];
  const passwordHash = await hashPassword(newPassword);
  // A concurrent change of the password has won.
  if (!(await updatePassword(context.stores.patrons, { username, passwordHash, instead }))) {
    return [WRONG_PASSWORD];
  }
  await passwordChanged(context, username, id);
  return [];
}

/** Ends all sessions except `except` after a change of the password, emails the account and audits the change. */
export async function passwordChanged(context: RequestContext, username: string, except = ""): Promise<void> {
  const { stores, sources } = context;
  const actor = (await context.session())?.key ?? null;
  await patronOf(stores, username).closeSessions(except, sources.now());
  const account = await findAccount(stores.patrons, { username });
  if (account !== undefined) {
    const letter = passwordChangedLetter({ to: account.email, username: account.username });
    mailAfterwards(context, () => mailerOf(context).send(letter));
  }
  await audit(context, { event: "password-changed", actor, subject: `/people/${username}` });
}

function changePasswordPage(problems: readonly Problem[] = []): Reply {
  return formPage({
    title: say("accounts.change_password"),
    action: "/account/password",
    submit: say("accounts.change_password"),
    problems,
    fields: [
      passwordField(say("accounts.password_now")),
      newPasswordField({
        name: "new_password",
        hint: say("accounts.password_hint_ends"),
      }),
    ],
  });
}

/** `GET /account/password`: the form for another password. */
export const passwordForm = operation({
  id: "passwordPage",
  summary: "Page on which the password is changed",
  tag: "account",
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "To the identity provider, where passwords are changed there" },
  },
  handle: unlessElsewhere("settings", () => changePasswordPage()),
});
