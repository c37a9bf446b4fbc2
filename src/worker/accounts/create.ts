import * as z from "zod";
import { USERNAME_LENGTH } from "../../catalog/accounts.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { deleteAccount } from "../../db/accounts/registrations.ts";
import { wantsHtml } from "../http/accept.ts";
import { unavailable } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { isJson } from "../http/request-body.ts";
import { markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { loginMessage } from "./authentication.ts";
import {
  EMAIL_REGISTERED,
  EMAIL_TAKEN,
  USERNAME_TAKEN,
  missingField,
  newEmailProblem,
  newPasswordProblem,
  newUsernameProblem,
} from "./availability.ts";
import { REGISTRATIONS, VALIDATIONS, byAddress, spend } from "./budgets.ts";
import { identityProvider } from "./identity-provider.ts";
import type { RegistrationForm } from "./identity.ts";
import { mailLink, spendMail } from "./letters.ts";
import { PROGRAMME, setProgrammeCookie } from "./login-cookies.ts";
import { hashPassword } from "./password-hash.ts";
import {
  type Problem,
  ACCOUNT_BODY_BYTES,
  emailField,
  formAnswer,
  formPage,
  newPasswordField,
} from "./account-form.ts";

/** `POST /account/create`: registers an account, to be confirmed by an emailed link. */
export const createAccount = operation({
  id: "createAccount",
  summary: "Register",
  tag: "account",
  form: {
    email: z.string().default(""),
    username: z.string().default(""),
    password: z.string().default(""),
    ia_newsletter: boolean().default(false).describe("Send news now and then"),
    pd_request: boolean().default(false).describe("Ask for access for the print-disabled"),
    pd_program: z.string().default("").describe("Programme that can vouch for it"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "A mail with a link is on its way",
      schema: z.object({ status: z.literal("verify"), email: z.string() }),
      also: ["text/html"],
    },
    503: { description: "Nobody can register here" },
  },
  async handle({ form: sent }, context) {
    const { email, username, password, ia_newsletter: newsletters } = sent;
    const address = email.trim();
    const isPerson = wantsHtml(context.request) && !isJson(context.request);
    const problems = await register(context, { email, username, password, newsletters }, isPerson);
    if (problems.length === 0 && sent.pd_request && PROGRAMME.test(sent.pd_program)) {
      setProgrammeCookie(context, sent.pd_program);
    }
    const outcome = {
      problems,
      again: () => createPage({ email, username, newsletters }, problems),
      json: { status: "verify", email: address },
      message: {
        title: say("accounts.check_mail"),
        text: say("accounts.check_mail_create", { email: address }),
      },
    };
    return formAnswer(context, outcome, isPerson);
  },
});

type Registration = Omit<RegistrationForm, "screenName"> & { readonly username: string };

/** Registers an account and sends the email that confirms its address. Returns the problems; throws 429 and 503. */
async function register(
  context: RequestContext,
  given: Registration,
  isPerson: boolean,
): Promise<readonly Problem[]> {
  const wanted = { ...given, email: given.email.trim() };
  const provider = identityProvider(context);
  if (provider.register === undefined) throw unavailable("Nobody can register here.");
  await spend(context, byAddress(context, "registration", REGISTRATIONS));
  const problems = await problemsOf(context, wanted);
  // Q148: the page does not tell that the address has an account; the email to the address does.
  const isKnown = isPerson && problems.some(({ code }) => code === EMAIL_REGISTERED);
  const shown = isKnown ? problems.filter(({ code }) => code !== EMAIL_REGISTERED) : problems;
  if (shown.length > 0) return shown;
  await spendMail(context, wanted.email);
  if (isKnown) {
    await mailKnown(context, wanted);
    return [];
  }
  const { email, password, username: screenName, newsletters } = wanted;
  const result = await provider.register({ email, password, screenName, newsletters });
  if (!result.ok) {
    const { reason: code } = result;
    const [field, message] = REFUSALS[code] ?? ["email", loginMessage(code)];
    return [{ field, code, message }];
  }
  const { account } = result.identity;
  if (account !== undefined) await confirm(context, account, email);
  return [];
}

async function problemsOf(context: RequestContext, wanted: Registration): Promise<Problem[]> {
  const { email, username, password } = wanted;
  const found = await Promise.all([
    email === "" ? missingField("email") : newEmailProblem(context, email),
    username === "" ? missingField("username") : newUsernameProblem(context, username, email),
    newPasswordProblem(context, password, { username }),
  ]);
  return found.filter((problem) => problem !== undefined);
}

/** Refusals of a provider: the form field concerned, and the message for people. */
const REFUSALS: Readonly<Record<string, readonly [field: string, message: string]>> = {
  bad_email: ["email", "This e-mail address is not accepted."],
  [EMAIL_REGISTERED]: ["email", EMAIL_TAKEN],
  bad_password: ["password", "This password is not accepted."],
  bad_username: ["username", "This username is not accepted."],
  bad_screenname: ["username", "This username is not accepted."],
  username_registered: ["username", USERNAME_TAKEN],
};

/** Emails the owner of an account whose address was used to register. Takes as long as any other registration. */
async function mailKnown(context: RequestContext, { email, password }: Registration): Promise<void> {
  const [account] = await Promise.all([
    findAccount(context.stores.patrons, { email }),
    hashPassword(password),
  ]);
  if (account === undefined) return;
  const { username, email: to } = account;
  await mailLink(context, { username, email: to, purpose: "password", letter: "known" });
}

/**
 * Emails the confirmation link of a local account. Deletes the account on failure, since the registration could not be
 * repeated otherwise.
 */
async function confirm(context: RequestContext, username: string, email: string): Promise<void> {
  try {
    await mailLink(context, { username, email, purpose: "verify" });
  } catch (error) {
    await deleteAccount(context.stores.patrons, username);
    throw error;
  }
}

/** Renders the form with the submitted values, except for the password. */
function createPage(given: Partial<Registration>, problems: readonly Problem[] = []): Reply {
  const { min, max } = USERNAME_LENGTH;
  return formPage({
    title: say("accounts.create"),
    action: "/account/create",
    submit: say("accounts.create_submit"),
    problems,
    fields: [
      emailField({ label: say("accounts.email"), value: given.email }),
      {
        name: "username",
        label: say("accounts.username"),
        value: given.username,
        hint: say("accounts.username_hint", { min, max }),
        required: true,
        autocomplete: "username",
        maxlength: max,
      },
      newPasswordField({ label: say("accounts.password") }),
      {
        name: "ia_newsletter",
        label: say("accounts.newsletter"),
        type: "checkbox",
        checked: given.newsletters === true,
      },
    ],
    after: markup`<p>${say("accounts.have_account")} <a href="/account/login">${say("account.log_in")}</a></p>`,
  });
}

/** `GET /account/create`: the form. */
export const createForm = operation({
  id: "createAccountPage",
  summary: "Page with the registration form",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  handle: () => createPage({}),
});

const reason = z.string().nullable();

/** `GET /account/validate`: checks if an address or a username can be registered. Absent parameters are not checked. */
export const validateAccount = operation({
  id: "validateAccount",
  summary: "Check an address or a username for a registration",
  tag: "account",
  query: { email: z.string().optional(), username: z.string().optional() },
  responses: {
    200: {
      description: "Null, or what is wrong, for each",
      schema: z.object({ email: reason, username: reason }),
    },
    429: { description: "Too many questions" },
  },
  async handle({ query }, context) {
    await spend(context, byAddress(context, "validation", VALIDATIONS));
    const [email, username] = await Promise.all([
      query.email === undefined ? undefined : newEmailProblem(context, query.email),
      query.username === undefined ? undefined : newUsernameProblem(context, query.username),
    ]);
    return privateJson({ email: email?.message ?? null, username: username?.message ?? null });
  },
});
