import * as z from "zod";
import { deleteLink, takeLink } from "../../db/accounts/write-secrets.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { deleteRegistrations } from "../../db/accounts/registrations.ts";
import { updateEmail } from "../../db/accounts/write-accounts.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { closeOtherSessions } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { mailerOf } from "../platform/mail.ts";
import { markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import {
  type Problem,
  ACCOUNT_BODY_BYTES,
  emailField,
  formAnswer,
  formPage,
  passwordField,
} from "./account-form.ts";
import { type Message, BAD_LINK, TO_ACCOUNT, messagePage } from "./account-page.ts";
import { WRONG_PASSWORD, provenPassword } from "./authentication.ts";
import { missingField, newEmailProblem } from "./availability.ts";
import { VALIDATIONS, byAddress, spend } from "./budgets.ts";
import { unlessElsewhere } from "./identity-provider.ts";
import { emailChangedLetter, mailAfterwards, mailLink, ownerOfCode, spendMail } from "./letters.ts";
import { ownAccount } from "./own-session.ts";

/** `POST /account/email`: requests a change of address, which takes effect once the emailed link is confirmed. */
export const changeEmail = operation({
  id: "changeEmail",
  summary: "Change the e-mail address",
  tag: "account",
  form: {
    email: z.string().default("").describe("New address"),
    password: z.string().default("").describe("Password of the account"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "A mail with a link is on its way",
      schema: z.object({ status: z.literal("verify"), email: z.string() }),
      also: ["text/html"],
    },
    303: { description: "To the identity provider, where that is done there" },
  },
  handle: unlessElsewhere("settings", async ({ form: { email, password } }, context) => {
    const { username, email: now } = await ownAccount(context);
    const problems = await requestEmailChange(context, { username, email, password });
    const address = email.trim();
    return formAnswer(context, {
      problems,
      again: () => changeEmailPage(now, email, problems),
      json: { status: "verify", email: address },
      message: {
        title: say("accounts.check_mail"),
        text: say("accounts.check_mail_email", { email: address }),
        link: TO_ACCOUNT,
      },
    });
  }),
});

/**
 * Emails a link to the new address, which takes effect once the link is confirmed. Requires the password (Q155),
 * because the reader of an account's email can take the account over. Returns the problems; throws 429 and 503.
 */
async function requestEmailChange(
  context: RequestContext,
  { username, email, password }: Readonly<Record<"username" | "email" | "password", string>>,
): Promise<readonly Problem[]> {
  const problems = [
    email === "" ? missingField("email") : undefined,
    password === "" ? missingField("password") : undefined,
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) return problems;
  if ((await provenPassword(context, { username, password })) === undefined) return [WRONG_PASSWORD];
  // This form also reveals if an address is taken, so it shares the budget of the validation route.
  await spend(context, byAddress(context, "validation", VALIDATIONS));
  const problem = await newEmailProblem(context, email);
  if (problem !== undefined) return [problem];
  await spendMail(context, email);
  await mailLink(context, { username, email: email.trim(), purpose: "email" });
  return [];
}

function changeEmailPage(now: string, email = "", problems: readonly Problem[] = []): Reply {
  const hint = say("accounts.change_email_hint", { email: now });
  return formPage({
    title: say("accounts.change_email"),
    action: "/account/email",
    submit: say("accounts.change_address"),
    problems,
    fields: [emailField({ label: say("accounts.new_email"), value: email, hint }), passwordField()],
  });
}

/** `GET /account/email`: the form for another address. */
export const emailForm = operation({
  id: "emailPage",
  summary: "Page on which the e-mail address is changed",
  tag: "account",
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "To the identity provider, where addresses are changed there" },
  },
  handle: unlessElsewhere("settings", async (_input, context) =>
    changeEmailPage((await ownAccount(context)).email),
  ),
});

const OUTCOMES: Readonly<Record<EmailChange, Message>> = {
  changed: {
    title: say("accounts.email_changed"),
    text: say("accounts.email_changed_why"),
    status: 200,
  },
  taken: {
    title: say("accounts.email_is_taken"),
    text: say("accounts.email_is_taken_why"),
    status: 409,
  },
  "bad-code": BAD_LINK,
};

/** `GET /account/email/verify/{code}`: the link emailed to a new address. Opening it changes nothing (Q157). */
export const verifyEmailForm = operation({
  id: "verifyEmailPage",
  summary: "Page on which a new e-mail address is confirmed",
  tag: "account",
  path: { code: z.string() },
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "To the identity provider, where that is done there" },
    404: { description: "The link does not work", contentType: "text/html" },
  },
  handle: unlessElsewhere("settings", async ({ path: { code } }, context) => {
    const owner = await ownerOfCode(context, "email", code);
    if (owner === undefined) return outcomePage("bad-code");
    return formPage({
      title: say("accounts.confirm_email"),
      action: `/account/email/verify/${code}`,
      submit: say("accounts.confirm"),
      fields: [],
      before: markup`<p>${say("accounts.confirm_email_of", { email: owner.email, name: owner.username })}</p>`,
    });
  }),
});

/** `POST /account/email/verify/{code}`: the form of that page. */
export const verifyEmail = operation({
  id: "verifyEmail",
  summary: "Confirm a new e-mail address",
  tag: "account",
  path: { code: z.string() },
  responses: {
    200: { description: "The address is changed", contentType: "text/html" },
    303: { description: "To the identity provider, where that is done there" },
    404: { description: "The link does not work", contentType: "text/html" },
    409: { description: "The address is taken", contentType: "text/html" },
  },
  handle: unlessElsewhere("settings", async ({ path: { code } }, context) => {
    const owner = await ownerOfCode(context, "email", code);
    return outcomePage(owner === undefined ? "bad-code" : await changed(context, code));
  }),
});

function outcomePage(outcome: EmailChange): Reply {
  return messagePage({ ...OUTCOMES[outcome], link: TO_ACCOUNT });
}

/** Outcome of a code for a new address. `taken`: another account has got the address in the meantime. */
type EmailChange = "changed" | "taken" | "bad-code";

/** Changes an address by the code emailed to it, and uses the code up. */
async function changed(context: RequestContext, code: string): Promise<EmailChange> {
  const { stores, now } = context;
  const { patrons } = stores;
  const link = await takeLink(patrons, { code, purpose: "email", now });
  const account = link === undefined ? undefined : await findAccount(patrons, link);
  if (link === undefined || account === undefined || account.status !== "active") return "bad-code";
  const { username, email: before } = account;
  await deleteRegistrations(patrons, { username: "", email: link.email, since: "" });
  const outcome = await updateEmail(patrons, { username, email: link.email });
  if (outcome !== "updated") return outcome === "taken" ? "taken" : "bad-code";
  await closeOtherSessions(context, username);
  // A link emailed to the old address must not open the account any more.
  await deleteLink(patrons, username, "password");
  mailAfterwards(context, () => mailerOf(context).send(emailChangedLetter({ to: before, username })));
  await audit(context, { event: "email-changed", subject: `/people/${username}` });
  return "changed";
}
