import * as z from "zod";
import { deleteLink, takeLink } from "../../db/accounts/write-secrets.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { deleteRegistrations } from "../../db/accounts/registrations.ts";
import { updateEmail } from "../../db/accounts/write-accounts.ts";
import type { Failure } from "../http/failure.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { closeOtherSessions } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { messagePage } from "../ui/action-answer.ts";
import { command } from "../ui/command.ts";
import { t } from "../ui/words.ts";
import {
  ACCOUNT_BODY_BYTES,
  BAD_LINK,
  PAGE,
  TO_ACCOUNT,
  emailField,
  formPage,
  missingField,
  passwordField,
  refuseProblems,
  toValidationError,
} from "./account-form.ts";
import { WRONG_PASSWORD, verifyOwnPassword } from "./authentication.ts";
import { findEmailProblem } from "./availability.ts";
import { VALIDATIONS, byAddress, spend } from "./budgets.ts";
import { redirectToProvider } from "./identity-provider.ts";
import { findCodeOwner, mailLink, mailNotice, spendMail } from "./account-emails.ts";
import { ownAccount } from "./own-session.ts";

const ELSEWHERE = {
  303: { description: "Redirect to the identity provider, if it manages email addresses" },
};

export const changeEmail = command({
  id: "changeEmail",
  summary: "Change your email address",
  tag: "account",
  form: {
    email: z.string().default("").describe("New address"),
    password: z.string().default("").describe("Password of the account"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "Email with a link sent",
      schema: z.object({ status: z.literal("verify"), email: z.string() }),
      also: ["text/html"],
    },
    ...ELSEWHERE,
  },
  load: (_input, context) => redirectToProvider(context, "settings") ?? ownAccount(context),
  /**
   * Emails a link to the new address, which takes effect once the link is confirmed. Requires the password (Q155),
   * because the reader of an account's email can take the account over.
   */
  async submit({ form: { email, password }, loaded: { username } }, context) {
    refuseProblems([
      email === "" ? missingField("email") : undefined,
      password === "" ? missingField("password") : undefined,
    ]);
    if ((await verifyOwnPassword(context, { username, password })) === undefined)
      throw toValidationError([WRONG_PASSWORD]);
    // This form also reveals if an address is taken, so it shares the budget of the validation route.
    await spend(context, byAddress(context, "validation", VALIDATIONS));
    refuseProblems([await findEmailProblem(context, email)]);
    await spendMail(context, email);
    await mailLink(context, { username, email: email.trim() }, "email");
    return { status: "verify", email: email.trim() };
  },
  page: ({ email }) =>
    messagePage({
      title: t("accounts.check_mail"),
      text: t("accounts.check_mail_email", { email }),
      link: TO_ACCOUNT,
    }),
  again: (refusal, { form, loaded }) => changeEmailPage(loaded.email, { value: form.email, refusal }),
});

function changeEmailPage(
  oldEmail: string,
  { value, refusal }: { value?: string; refusal?: Failure } = {},
): Reply {
  const hint = t("accounts.change_email_hint", { email: oldEmail });
  return formPage({
    title: t("accounts.change_email"),
    action: "/account/email",
    submit: t("accounts.change_address"),
    refusal,
    fields: [emailField({ label: t("accounts.new_email"), value, hint }), passwordField()],
  });
}

export const emailForm = operation({
  id: "emailPage",
  summary: "Show the form for changing your email address",
  tag: "account",
  responses: { ...PAGE, ...ELSEWHERE },
  handle: async (_input, context) =>
    redirectToProvider(context, "settings") ?? changeEmailPage((await ownAccount(context)).email),
});

function badLink(): Reply {
  return messagePage({ ...BAD_LINK, link: TO_ACCOUNT });
}

const OUTCOMES = {
  updated: { title: t("accounts.email_changed"), text: t("accounts.email_changed_why"), status: 200 },
  taken: { title: t("accounts.email_is_taken"), text: t("accounts.email_is_taken_why"), status: 409 },
  missing: BAD_LINK,
};

/** `GET /account/email/verify/{code}`: the link emailed to a new address. Opening it changes nothing (Q157). */
export const verifyEmailForm = operation({
  id: "verifyEmailPage",
  summary: "Show the confirmation page of a new email address",
  tag: "account",
  path: { code: z.string() },
  responses: {
    ...PAGE,
    ...ELSEWHERE,
    404: { description: "Invalid or expired link", contentType: "text/html" },
  },
  async handle({ path: { code } }, context) {
    const elsewhere = redirectToProvider(context, "settings");
    if (elsewhere !== undefined) return elsewhere;
    const owner = await findCodeOwner(context, "email", code);
    if (owner === undefined) return badLink();
    return formPage({
      title: t("accounts.confirm_email"),
      action: `/account/email/verify/${code}`,
      submit: t("accounts.confirm_email_submit"),
      fields: [],
      before: [t("accounts.confirm_email_of", { email: owner.email, name: owner.username })],
    });
  },
});

export const verifyEmail = operation({
  id: "verifyEmail",
  summary: "Confirm a new email address",
  tag: "account",
  path: { code: z.string() },
  responses: {
    200: { description: "Email address changed", contentType: "text/html" },
    ...ELSEWHERE,
    404: { description: "Invalid or expired link", contentType: "text/html" },
    409: { description: "Email address already in use", contentType: "text/html" },
  },
  async handle({ path: { code } }, context) {
    const elsewhere = redirectToProvider(context, "settings");
    if (elsewhere !== undefined) return elsewhere;
    const owner = await findCodeOwner(context, "email", code);
    const { patrons } = context.stores;
    const link = owner && (await takeLink(patrons, { code, purpose: "email", now: context.now }));
    const account = link && (await findAccount(patrons, link));
    if (link === undefined || account?.status !== "active") return badLink();
    const outcome = await replaceEmail(context, account, link.email);
    if (outcome === "updated") {
      await audit(context, { event: "email-changed", subject: `/people/${account.username}` });
    }
    return messagePage({ ...OUTCOMES[outcome], link: TO_ACCOUNT });
  },
});

/**
 * Replaces the address of an account: unconfirmed registrations of the new address give way, other sessions end, and the
 * old address gets a notice. Changes nothing if the account is missing, or another one has the address.
 */
export async function replaceEmail(
  context: RequestContext,
  { username, email: oldEmail }: Pick<FoundAccount, "username" | "email">,
  email: string,
): Promise<"updated" | "taken" | "missing"> {
  const { patrons } = context.stores;
  const isOther = oldEmail.toLowerCase() !== email.toLowerCase();
  // An unconfirmed account must not give way to itself.
  if (isOther) await deleteRegistrations(patrons, { username: "", email, since: "" });
  const outcome = await updateEmail(patrons, { username, email });
  if (outcome !== "updated") return outcome;
  await closeOtherSessions(context, username);
  // A link emailed to the old address must not open the account any more.
  await deleteLink(patrons, username, "password");
  if (isOther) mailNotice(context, "email", { username, email: oldEmail });
  return outcome;
}
