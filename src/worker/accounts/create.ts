import * as z from "zod";
import { USERNAME_LENGTH } from "../../catalog/accounts.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { deleteAccount } from "../../db/accounts/registrations.ts";
import { type Failure, failure } from "../http/failure.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { messagePage } from "../ui/action-answer.ts";
import { link } from "../ui/parts.ts";
import { command, isPerson } from "../ui/command.ts";
import { t } from "../ui/words.ts";
import { english } from "../../catalog/texts.ts";
import { findEmailProblem, newPasswordProblem, findUsernameProblem } from "./availability.ts";
import { REGISTRATIONS, VALIDATIONS, byAddress, spend } from "./budgets.ts";
import { identityProvider } from "./identity-provider.ts";
import type { RegistrationForm } from "./identity.ts";
import { mailLink, spendMail } from "./account-emails.ts";
import { PROGRAMME, setProgrammeCookie } from "./login-cookies.ts";
import { EMAIL_REGISTERED, problemOf } from "./login-failures.ts";
import { hashPassword } from "./password-hash.ts";
import {
  ACCOUNT_BODY_BYTES,
  emailField,
  formPage,
  missingField,
  newPasswordField,
  refuseProblems,
  toValidationError,
} from "./account-form.ts";

export const createAccount = command({
  id: "createAccount",
  summary: "Create an account",
  tag: "account",
  form: {
    email: z.string().default(""),
    username: z.string().default(""),
    password: z.string().default(""),
    ia_newsletter: boolean().default(false).describe("Receive occasional news by email"),
    pd_request: boolean().default(false).describe("Request access for readers with print disabilities"),
    pd_program: z.string().default("").describe("Program that can certify the disability"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "Email with a link sent",
      schema: z.object({ status: z.literal("verify"), email: z.string() }),
      also: ["text/html"],
    },
    503: { description: "Registration closed" },
  },
  async submit({ form }, context) {
    const { email, username, password, ia_newsletter: newsletters } = form;
    await register(context, { email: email.trim(), username, password, newsletters });
    if (form.pd_request && PROGRAMME.test(form.pd_program)) setProgrammeCookie(context, form.pd_program);
    return { status: "verify", email: email.trim() };
  },
  page: ({ email }) =>
    messagePage({ title: t("accounts.check_mail"), text: t("accounts.check_mail_create", { email }) }),
  again: (refusal, { form }) => createPage(form, refusal),
});

type Registration = Omit<RegistrationForm, "screenName"> & { username: string };

/** Registers an account and sends the email that confirms its address. Throws 422, 429 and 503. */
async function register(context: RequestContext, registration: Registration): Promise<void> {
  const provider = identityProvider(context);
  if (provider.register === undefined) throw failure("unavailable.registration");
  await spend(context, byAddress(context, "registration", REGISTRATIONS));
  const problems = await findProblems(context, registration);
  // Q148: the page does not tell that the address has an account; the email to the address does.
  const isKnown = isPerson(context) && problems.some(({ code }) => code === EMAIL_REGISTERED);
  refuseProblems(isKnown ? problems.filter(({ code }) => code !== EMAIL_REGISTERED) : problems);
  await spendMail(context, registration.email);
  if (isKnown) return emailOwner(context, registration);
  const { email, password, username: screenName, newsletters } = registration;
  const result = await provider.register({ email, password, screenName, newsletters });
  if (!result.ok) throw toValidationError([problemOf(result.reason)]);
  const { account } = result.identity;
  if (account !== undefined) await emailConfirmation(context, account, email);
}

async function findProblems(context: RequestContext, { email, username, password }: Registration) {
  const problems = await Promise.all([
    email === "" ? missingField("email") : findEmailProblem(context, email),
    username === "" ? missingField("username") : findUsernameProblem(context, username, email),
    newPasswordProblem(context, password, { username }),
  ]);
  return problems.filter((problem) => problem !== undefined);
}

/** Emails the owner of an account whose address was used to register. Takes as long as any other registration. */
async function emailOwner(context: RequestContext, { email, password }: Registration): Promise<void> {
  const [account] = await Promise.all([
    findAccount(context.stores.patrons, { email }),
    hashPassword(password),
  ]);
  if (account === undefined) return;
  const { username, email: to } = account;
  await mailLink(context, { username, email: to, purpose: "password", template: "known" });
}

/** Emails the confirmation link. Deletes the account on failure: the registration could not be repeated otherwise. */
async function emailConfirmation(context: RequestContext, username: string, email: string): Promise<void> {
  try {
    await mailLink(context, { username, email, purpose: "verify" });
  } catch (error) {
    await deleteAccount(context.stores.patrons, username);
    throw error;
  }
}

function createPage(
  values: Partial<Record<"email" | "username", string>> & { ia_newsletter?: boolean },
  refusal?: Failure,
): Reply {
  const { min, max } = USERNAME_LENGTH;
  return formPage({
    title: t("accounts.create"),
    action: "/account/create",
    submit: t("accounts.create_submit"),
    refusal,
    fields: [
      emailField({ label: t("accounts.email"), value: values.email }),
      {
        name: "username",
        label: t("accounts.username"),
        value: values.username,
        hint: t("accounts.username_hint", { min, max }),
        required: true,
        autocomplete: "username",
        maxlength: max,
      },
      newPasswordField({ label: t("accounts.password") }),
      {
        name: "ia_newsletter",
        label: t("accounts.newsletter"),
        type: "checkbox",
        checked: values.ia_newsletter === true,
      },
    ],
    after: [[t("accounts.have_account"), " ", link("/account/login", t("account.log_in"))]],
  });
}

export const createForm = operation({
  id: "createAccountPage",
  summary: "Show the registration form",
  tag: "account",
  responses: { 200: { description: "Page", contentType: "text/html" } },
  handle: () => createPage({}),
});

export const validateAccount = operation({
  id: "validateAccount",
  summary: "Validate an email address or username for registration",
  tag: "account",
  query: { email: z.string().optional(), username: z.string().optional() },
  responses: {
    200: {
      description: "Problem of each field, or null",
      schema: z.object({ email: z.string().nullable(), username: z.string().nullable() }),
    },
    429: { description: "Too many requests" },
  },
  async handle({ query }, context) {
    await spend(context, byAddress(context, "validation", VALIDATIONS));
    const [email, username] = await Promise.all([
      query.email === undefined ? undefined : findEmailProblem(context, query.email),
      query.username === undefined ? undefined : findUsernameProblem(context, query.username),
    ]);
    return privateJson({
      email: email === undefined ? null : english(email.text),
      username: username === undefined ? null : english(username.text),
    });
  },
});
