import * as z from "zod";
import { USERNAME_LENGTH } from "../../catalog/accounts.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { deleteAccount } from "../../db/accounts/registrations.ts";
import { type Failure, failure } from "../http/failure.ts";
import { operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { type Reply, privateJson, seeOther } from "../http/reply.ts";
import { messagePage } from "../ui/action-answer.ts";
import { link } from "../ui/parts.ts";
import { command, isPerson } from "../ui/command.ts";
import { t } from "../ui/words.ts";
import { english } from "../../catalog/texts.ts";
import { findEmailProblem, newPasswordProblem, findUsernameProblem } from "./availability.ts";
import { REGISTRATIONS, VALIDATIONS, byAddress, spend } from "./budgets.ts";
import { identityProvider } from "./identity-provider.ts";
import { isLoginElsewhere } from "./login-elsewhere.ts";
import { mailLink, spendMail } from "./account-emails.ts";
import { PROGRAMME, setProgrammeCookie } from "./login-cookies.ts";
import { EMAIL_REGISTERED, problemOf } from "./login-failures.ts";
import { hashPassword } from "./password-hash.ts";
import {
  ACCOUNT_BODY_BYTES,
  PAGE,
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
    const { username, password, ia_newsletter: newsletters } = form;
    const email = form.email.trim();
    const { patrons } = context.stores;
    if (isLoginElsewhere(context.settings)) throw failure("forbidden.account_elsewhere");
    const provider = identityProvider(context);
    if (provider.register === undefined) throw failure("unavailable.registration");
    await spend(context, byAddress(context, "registration", REGISTRATIONS));
    const problems = await Promise.all([
      email === "" ? missingField("email") : findEmailProblem(context, email),
      username === "" ? missingField("username") : findUsernameProblem(context, username, email),
      newPasswordProblem(context, password, { username }),
    ]);
    // Q148: the page does not tell that the address has an account; the email to the address does.
    const isKnown = isPerson(context) && problems.some((problem) => problem?.code === EMAIL_REGISTERED);
    refuseProblems(isKnown ? problems.filter((problem) => problem?.code !== EMAIL_REGISTERED) : problems);
    await spendMail(context, email);
    if (isKnown) {
      // Takes as long as any other registration.
      const [owner] = await Promise.all([findAccount(patrons, { email }), hashPassword(password)]);
      if (owner !== undefined) await mailLink(context, owner, "password", "known");
    } else {
      const result = await provider.register({ email, password, screenName: username, newsletters });
      if (!result.ok) throw toValidationError([problemOf(result.reason)]);
      const { account } = result.identity;
      if (account !== undefined) {
        try {
          await mailLink(context, { username: account, email }, "verify");
        } catch (error) {
          // The registration could not be repeated otherwise.
          await deleteAccount(patrons, account);
          throw error;
        }
      }
    }
    if (form.pd_request && PROGRAMME.test(form.pd_program)) setProgrammeCookie(context, form.pd_program);
    return { status: "verify", email };
  },
  page: ({ email }) =>
    messagePage({ title: t("accounts.check_mail"), text: t("accounts.check_mail_create", { email }) }),
  again: (refusal, { form }) => createPage(form, refusal),
});

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
  responses: { ...PAGE, 303: { description: "Redirect to the login, which creates accounts" } },
  handle: (_input, { settings }) =>
    isLoginElsewhere(settings) ? seeOther("/account/login") : createPage({}),
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
