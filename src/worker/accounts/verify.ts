import * as z from "zod";
import type { FoundLink } from "../../db/accounts/read-secrets.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { redirectTarget } from "../http/redirect-target.ts";
import { type Reply, seeOther } from "../http/reply.ts";
import { cookieText } from "../http/session.ts";
import { markup } from "../ui/markup.ts";
import { notify } from "../ui/notice.ts";
import { t } from "../ui/words.ts";
import {
  type Problem,
  ACCOUNT_BODY_BYTES,
  TO_ACCOUNT,
  answerForm,
  formPage,
  newPasswordField,
} from "./account-form.ts";
import { type LoggedIn, resolveLogin, startSession } from "./authentication.ts";
import { newPasswordProblem } from "./availability.ts";
import { CODE_FAILURES, attempt, byAddress } from "./budgets.ts";
import { identityProvider } from "./identity-provider.ts";
import { findCodeOwner } from "./account-emails.ts";

/** Lifetime of the cookie by which pages treat an activation as recent, in seconds. */
const ACTIVATION_SECONDS = 300;

const LINK_FIELDS = {
  t: z.string().default("").describe("Code from the email"),
  redirect: z.string().default("").describe("Path on this site to go to afterwards"),
};
type LinkFields = z.output<z.ZodObject<typeof LINK_FIELDS>>;

/** `GET /account/verify`: the emailed link after a registration. Opening it changes nothing (Q157). */
export const verifyForm = operation({
  id: "verifyAccountPage",
  summary: "Show the confirmation page of a new account",
  tag: "account",
  query: LINK_FIELDS,
  responses: {
    200: { description: "Page", contentType: "text/html" },
    303: { description: "Invalid code: redirect to registration" },
  },
  async handle({ query }, context) {
    const owner = await findOwner(context, query.t);
    return owner === undefined ? redirectBack(context) : verifyPage(context, query, owner);
  },
});

export const verify = operation({
  id: "verifyAccount",
  summary: "Confirm the email address of a new account",
  tag: "account",
  form: { ...LINK_FIELDS, password: z.string().default("").describe("Password of the new account") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "Email address confirmed; another signed-in user stays signed in",
      schema: z.object({ status: z.literal("ok") }),
      also: ["text/html"],
    },
    303: { description: "Logged in; or, for an invalid code, redirect to registration" },
  },
  async handle({ form: { password, ...link } }, context) {
    const owner = await findOwner(context, link.t);
    if (owner === undefined) return redirectBack(context);
    const problem = isLocal(context) ? newPasswordProblem(context, password, owner) : undefined;
    const login = problem === undefined ? await activate(context, link.t, password) : undefined;
    if (login === undefined && problem === undefined) return redirectBack(context);
    const session = await context.session();
    if (login !== undefined && session === undefined) {
      await startSession(context, login, false);
      // Tells pages about the activation.
      context.cookies.push(cookieText("ol_activation", "1", { context, seconds: ACTIVATION_SECONDS }));
      notify(context, "accounts.confirmed");
      return seeOther(redirectTarget(link.redirect) ?? "/");
    }
    const problems = problem === undefined ? [] : [problem];
    return answerForm(context, {
      problems,
      again: () => verifyPage(context, link, { ...owner, problems }),
      json: { status: "ok" },
      message: {
        title: t("accounts.confirmed"),
        text: t("accounts.confirmed_other", { name: login?.username, other: session?.username }),
        link: TO_ACCOUNT,
      },
    });
  },
});

function isLocal({ settings }: RequestContext): boolean {
  return settings.IDENTITY_PROVIDER === "local";
}

type Owner = Pick<FoundLink, "username">;

/** Returns the owner of a code; a remote provider only names the owner when the code is used. */
async function findOwner(context: RequestContext, code: string): Promise<Owner | undefined> {
  if (code === "" || identityProvider(context).activate === undefined) return undefined;
  return isLocal(context) ? findCodeOwner(context, "verify", code) : { username: "" };
}

async function redirectBack(context: RequestContext): Promise<Reply> {
  notify(context, "accounts.link_invalid", "error");
  return seeOther((await context.session()) === undefined ? "/account/create" : "/account/books");
}

function verifyPage(
  context: RequestContext,
  { t: token, redirect }: LinkFields,
  { username, problems = [] }: Owner & { problems?: readonly Problem[] },
): Reply {
  const hint = t("accounts.password_hint_any");
  return formPage({
    title: t("accounts.confirm_account"),
    action: "/account/verify",
    submit: t("accounts.confirm"),
    problems,
    before: username !== "" && markup`<p>${t("accounts.your_name", { name: username })}</p>`,
    fields: [
      { name: "t", label: "", type: "hidden", value: token },
      { name: "redirect", label: "", type: "hidden", value: redirect },
      ...(isLocal(context) ? [newPasswordField({ label: t("accounts.password"), hint })] : []),
    ],
  });
}

function activate(context: RequestContext, token: string, password: string): Promise<LoggedIn | undefined> {
  return attempt(context, byAddress(context, "code", CODE_FAILURES), async () => {
    const result = await identityProvider(context).activate?.(token, password);
    const login = result === undefined ? undefined : await resolveLogin(context, result);
    const value = login?.ok === true ? login : undefined;
    return { value, isCounted: value === undefined };
  });
}

export const verifyCode = operation({
  id: "verifyAccountCode",
  summary: "Redirect from an older form of the confirmation link",
  tag: "account",
  path: { code: z.string() },
  responses: { 303: { description: "Redirect to /account/verify" } },
  handle: ({ path: { code } }) => seeOther(`/account/verify?t=${encodeURIComponent(code)}`),
});
