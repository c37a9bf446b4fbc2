import * as z from "zod";
import { isEmail } from "../../catalog/accounts.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { deleteLink, takeLink, updatePassword } from "../../db/accounts/write-secrets.ts";
import { activatePending } from "../../db/accounts/write-accounts.ts";
import { notFound } from "../http/errors.ts";
import type { Failure, FailureKey } from "../http/failure.ts";
import { type RequestContext, type Session, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { messagePage } from "../ui/action-answer.ts";
import { command } from "../ui/command.ts";
import { t } from "../ui/words.ts";
import {
  type Problem,
  ACCOUNT_BODY_BYTES,
  BAD_LINK,
  PAGE,
  STATUS_OK,
  TO_ACCOUNT,
  emailField,
  formPage,
  missingField,
  newPasswordField,
  passwordField,
  refuseProblems,
  toValidationError,
} from "./account-form.ts";
import { WRONG_PASSWORD, verifyOwnPassword } from "./authentication.ts";
import { newPasswordProblem } from "./availability.ts";
import { findCodeOwner, mailAfterwards, mailLink, mailNotice, spendMail } from "./account-emails.ts";
import { redirectToProvider } from "./identity-provider.ts";
import { rememberDevice } from "./login-cookies.ts";
import { problemOf } from "./login-failures.ts";
import { ownSession } from "./own-session.ts";
import { hashPassword } from "./password-hash.ts";

const ELSEWHERE = {
  303: { description: "Redirect to the identity provider, if it manages passwords" },
};

export const changePassword = command({
  id: "changePassword",
  summary: "Change your password",
  tag: "account",
  form: {
    password: z.string().default("").describe("Current password"),
    new_password: z.string().default(""),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: { description: "Changed", schema: STATUS_OK, also: ["text/html"] },
    ...ELSEWHERE,
  },
  load: (_input, context) => redirectToProvider(context, "settings"),
  async submit({ form: { password, new_password: newPassword } }, context) {
    refuseProblems(await replacePassword(context, await ownSession(context), { password, newPassword }));
    return { status: "ok" };
  },
  page: () =>
    messagePage({
      title: t("accounts.password_changed"),
      text: t("accounts.password_changed_why"),
      link: TO_ACCOUNT,
    }),
  again: (refusal) => changePasswordPage(refusal),
});

/** Changes a password and ends all other sessions. Returns the problems; throws 429 after too many attempts. */
export async function replacePassword(
  context: RequestContext,
  { username, id }: Pick<Session, "username" | "id">,
  { password, newPassword }: { password: string; newPassword: string },
): Promise<readonly Problem<FailureKey>[]> {
  const problems = [
    password === "" ? missingField("password") : undefined,
    newPasswordProblem(context, newPassword, { username, field: "new_password" }),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) return problems;
  const instead = await verifyOwnPassword(context, { username, password });
  if (instead === undefined) return [WRONG_PASSWORD];
  const passwordHash = await hashPassword(newPassword);
  // A concurrent change of the password has won.
  if (!(await updatePassword(context.stores.patrons, { username, passwordHash, instead }))) {
    return [WRONG_PASSWORD];
  }
  await concludePasswordChange(context, username, id);
  return [];
}

/** Ends all sessions but `except` after a change of the password, emails the account and audits the change. */
async function concludePasswordChange(context: RequestContext, username: string, except = ""): Promise<void> {
  const { stores, sources } = context;
  const actor = (await context.session())?.key ?? null;
  await patronOf(stores, username).closeSessions(except, sources.now());
  const account = await findAccount(stores.patrons, { username });
  if (account !== undefined) mailNotice(context, "password", account);
  await audit(context, { event: "password-changed", actor, subject: `/people/${username}` });
}

function changePasswordPage(refusal?: Failure): Reply {
  return formPage({
    title: t("accounts.change_password"),
    action: "/account/password",
    submit: t("accounts.change_password"),
    refusal,
    fields: [
      passwordField(t("accounts.password_now")),
      newPasswordField({ name: "new_password", hint: t("accounts.password_hint_ends") }),
    ],
  });
}

export const passwordForm = operation({
  id: "passwordPage",
  summary: "Show the form for changing your password",
  tag: "account",
  responses: { ...PAGE, ...ELSEWHERE },
  handle: (_input, context) => redirectToProvider(context, "settings") ?? changePasswordPage(),
});

export const resetPassword = command({
  id: "resetPassword",
  summary: "Set a new password with a link from an email",
  tag: "account",
  path: { code: z.string() },
  form: { password: z.string().default("") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: { description: "Saved", schema: STATUS_OK, also: ["text/html"] },
    ...ELSEWHERE,
    404: { description: "Invalid or expired link" },
  },
  load: (_input, context) => redirectToProvider(context, "forgotPassword"),
  async submit({ path: { code }, form: { password } }, context) {
    const owner = await findCodeOwner(context, "password", code);
    if (owner === undefined) throw notFound();
    refuseProblems([newPasswordProblem(context, password, owner)]);
    const { patrons } = context.stores;
    const passwordHash = await hashPassword(password);
    const link = await takeLink(patrons, { code, purpose: "password", now: context.now });
    const account = link === undefined ? undefined : await findAccount(patrons, link);
    // An email to a former address must not open the account, and no email opens a blocked account.
    if (account === undefined || account.email !== link?.email || account.status === "blocked") {
      throw notFound();
    }
    const { username } = account;
    await updatePassword(patrons, { username, passwordHash });
    // Following the emailed link proves the address, as the confirmation link would have done.
    await activatePending(patrons, username);
    await deleteLink(patrons, username, "verify");
    await concludePasswordChange(context, username);
    // Strangers who use up the owner's budget of failed logins do not lock the owner out now.
    await rememberDevice(context, username);
    return { status: "ok" };
  },
  page: () =>
    messagePage({
      title: t("accounts.password_set"),
      text: t("accounts.password_set_why"),
      link: { href: "/account/login", text: t("account.log_in") },
    }),
  again: (refusal, { path }) =>
    refusal.status === 404 ? badResetLink() : resetPasswordPage(path.code, refusal),
});

export const FORGOT_PASSWORD = "/account/password/forgot";

function badResetLink(): Reply {
  return messagePage({ ...BAD_LINK, link: { href: FORGOT_PASSWORD, text: t("accounts.ask_again") } });
}

function resetPasswordPage(code: string, refusal?: Failure): Reply {
  return formPage({
    title: t("accounts.set_password"),
    action: `/account/password/reset/${code}`,
    submit: t("accounts.set_password_submit"),
    refusal,
    fields: [newPasswordField()],
  });
}

/** `GET /account/password/reset/{code}`: the emailed link. Only the form uses it up. */
export const resetPasswordForm = operation({
  id: "resetPasswordPage",
  summary: "Show the form for setting a new password",
  tag: "account",
  path: { code: z.string() },
  responses: {
    ...PAGE,
    ...ELSEWHERE,
    404: { description: "Invalid or expired link", contentType: "text/html" },
  },
  async handle({ path: { code } }, context) {
    const elsewhere = redirectToProvider(context, "forgotPassword");
    if (elsewhere !== undefined) return elsewhere;
    const owner = await findCodeOwner(context, "password", code);
    return owner === undefined ? badResetLink() : resetPasswordPage(code);
  },
});

export const forgotPassword = command({
  id: "forgotPassword",
  summary: "Request a link for a new password",
  tag: "account",
  form: { email: z.string().default("") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "Email with a link sent, if an account has the address",
      schema: z.object({ status: z.literal("sent") }),
      also: ["text/html"],
    },
    ...ELSEWHERE,
  },
  load: (_input, context) => redirectToProvider(context, "forgotPassword"),
  /** Emails a link if the address has an account, which neither answer nor time reveals (Q156). */
  async submit({ form: { email } }, context) {
    const address = email.trim();
    if (address === "") throw toValidationError([missingField("email")]);
    if (!isEmail(address)) throw toValidationError([problemOf("invalid_email")]);
    await spendMail(context, address);
    mailAfterwards(context, async () => {
      const account = await findAccount(context.stores.patrons, { email: address });
      if (account !== undefined && account.status !== "blocked") await mailLink(context, account, "password");
    });
    return { status: "sent" };
  },
  page: (_sent, { form: { email } }) =>
    messagePage({
      title: t("accounts.check_mail"),
      text: t("accounts.check_mail_password", { email: email.trim() }),
    }),
  again: (refusal, { form: { email } }) => forgotPasswordPage(email, refusal),
});

function forgotPasswordPage(email = "", refusal?: Failure): Reply {
  return formPage({
    title: t("accounts.forgot"),
    action: FORGOT_PASSWORD,
    submit: t("accounts.send_link"),
    refusal,
    fields: [emailField({ label: t("accounts.email_of_account"), value: email })],
  });
}

export const forgotPasswordForm = operation({
  id: "forgotPasswordPage",
  summary: "Show the form for a forgotten password",
  tag: "account",
  responses: { ...PAGE, ...ELSEWHERE },
  handle: (_input, context) => redirectToProvider(context, "forgotPassword") ?? forgotPasswordPage(),
});
