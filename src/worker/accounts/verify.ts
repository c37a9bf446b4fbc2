import * as z from "zod";
import type { FoundLink } from "../../db/accounts/read-secrets.ts";
import type { Failure } from "../http/failure.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { redirectTarget } from "../http/redirect-target.ts";
import { type Redirect, type Reply, privateJson, seeOther } from "../http/reply.ts";
import { cookieText } from "../http/session.ts";
import { messagePage } from "../ui/action-answer.ts";
import { notify } from "../ui/notice.ts";
import { command } from "../ui/command.ts";
import { t } from "../ui/words.ts";
import {
  ACCOUNT_BODY_BYTES,
  PAGE,
  STATUS_OK,
  TO_ACCOUNT,
  formPage,
  newPasswordField,
  refuseProblems,
} from "./account-form.ts";
import { startSession } from "./authentication.ts";
import { newPasswordProblem } from "./availability.ts";
import { CODE_FAILURES, attempt, byAddress } from "./budgets.ts";
import { identityProvider } from "./identity-provider.ts";
import { completeLogin } from "./link-identity.ts";
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
    ...PAGE,
    303: { description: "Invalid code: redirect to registration" },
  },
  async handle({ query }, context) {
    const owner = await findOwner(context, query.t);
    return owner === undefined ? redirectBack(context) : verifyPage(context, query, owner);
  },
});

export const verify = command({
  id: "verifyAccount",
  summary: "Confirm the email address of a new account",
  tag: "account",
  form: { ...LINK_FIELDS, password: z.string().default("").describe("Password of the new account") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "Email address confirmed; another signed-in user stays signed in",
      schema: STATUS_OK,
      also: ["text/html"],
    },
    303: { description: "Logged in; or, for an invalid code, redirect to registration" },
  },
  load: async ({ form }, context) => (await findOwner(context, form.t)) ?? redirectBack(context),
  async submit({ form: { password, ...link }, loaded: owner }, context) {
    const session = await context.session();
    if (isLocal(context)) refuseProblems([newPasswordProblem(context, password, owner)]);
    const login = await attempt(context, byAddress(context, "code", CODE_FAILURES), async () => {
      const result = await identityProvider(context).activate?.(link.t, password);
      const found = result && (await completeLogin(context, result));
      const value = found?.ok === true ? found : undefined;
      return { value, isCounted: value === undefined };
    });
    if (login === undefined) return redirectBack(context);
    if (session !== undefined) return { name: login.username, other: session.username };
    await startSession(context, login, false);
    // Tells pages about the activation.
    context.cookies.push(cookieText("ol_activation", "1", { context, seconds: ACTIVATION_SECONDS }));
    notify(context, "accounts.confirmed");
    return seeOther(redirectTarget(link.redirect) ?? "/");
  },
  asJson: () => privateJson({ status: "ok" }),
  page: (names) =>
    messagePage({
      title: t("accounts.confirmed"),
      text: t("accounts.confirmed_other", names),
      link: TO_ACCOUNT,
    }),
  again: (refusal, { form, loaded: owner }, context) => verifyPage(context, form, { ...owner, refusal }),
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

async function redirectBack(context: RequestContext): Promise<Redirect> {
  notify(context, "accounts.link_invalid", "error");
  return seeOther((await context.session()) === undefined ? "/account/create" : "/account/books");
}

function verifyPage(
  context: RequestContext,
  { t: token, redirect }: LinkFields,
  { username, refusal }: Owner & { refusal?: Failure },
): Reply {
  const hint = t("accounts.password_hint_any");
  return formPage({
    title: t("accounts.confirm_account"),
    action: "/account/verify",
    submit: t("accounts.confirm"),
    refusal,
    before: username === "" ? [] : [t("accounts.your_name", { name: username })],
    fields: [
      { name: "t", label: "", type: "hidden", value: token },
      { name: "redirect", label: "", type: "hidden", value: redirect },
      ...(isLocal(context) ? [newPasswordField({ label: t("accounts.password"), hint })] : []),
    ],
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
