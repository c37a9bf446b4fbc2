import * as z from "zod";
import { wantsHtml } from "../http/accept.ts";
import { bodyText } from "../http/bytes.ts";
import { CarrelError } from "../http/errors.ts";
import { parsedJson } from "../../catalog/record.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { redirectTarget } from "../http/redirect-target.ts";
import { type Reply, privateJson, seeOther } from "../http/reply.ts";
import { isJson } from "../http/request-body.ts";
import { deletedCookie } from "../http/session.ts";
import { errorSummary, form } from "../ui/form.ts";
import type { Page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { notify } from "../ui/notice.ts";
import { type Words, say } from "../ui/words.ts";
import { ACCOUNT_BODY_BYTES, emailField, passwordField } from "./account-form.ts";
import { accountPage } from "./account-page.ts";
import { logIn, loginFailed } from "./authentication.ts";
import { doPending } from "./follow.ts";
import { type LoginFields, LOGIN_FIELDS, loginOfForm, loginOfJson, loginTarget } from "./login-form.ts";
import { FORGOT_PASSWORD } from "./password-reset.ts";

const loginAnswer = z.object({ status: z.literal("ok"), username: z.string(), key: z.string() });

/** `POST /account/login`: a form, answered by a redirect; or JSON, as `/account/login.json`. */
export const login = operation({
  id: "login",
  summary: "Log in",
  tag: "account",
  form: LOGIN_FIELDS,
  bodyBytes: ACCOUNT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "Logged in by JSON", schema: loginAnswer },
    303: { description: "Logged in by the form: cookies are set" },
    400: { description: "Not logged in" },
    429: { description: "Too many failed logins" },
  },
  async handle({ form: sent }, context) {
    if (isJson(context.request)) return jsonLogin(context, sent);
    try {
      return await formLogin(context, sent);
    } catch (error) {
      // People get the form again, with their values filled in.
      if (!(error instanceof CarrelError) || !wantsHtml(context.request)) throw error;
      const { status, code, message, headers } = error;
      const words = status === 422 ? "accounts.fill_in" : LOGIN_WORDS[code];
      const text = words === undefined ? markup`<span lang="en">${message}</span>` : say(words);
      return loginPage({ ...sent, error: text, status, headers });
    }
  },
});

/** Translated texts for the codes of failed logins. */
const LOGIN_WORDS: Readonly<Record<string, Words>> = {
  invalid_email: "accounts.bad_email",
  account_not_found: "accounts.wrong_login",
  account_bad_password: "accounts.wrong_login",
  account_incorrect_password: "accounts.wrong_login",
  account_not_verified: "accounts.unverified",
  ia_account_not_verified: "accounts.unverified",
  account_blocked: "accounts.blocked",
  account_locked: "accounts.blocked",
  missing_fields: "accounts.fill_in",
  undefined_error: "accounts.bad_login",
};

/** Logs in with a JSON object; the session ends with the browser. */
async function jsonLogin(context: RequestContext, body: unknown): Promise<Reply> {
  const credentials = loginOfJson(body);
  if (credentials === undefined) throw loginFailed("missing_fields");
  const { username } = await logIn(context, { credentials, remember: false });
  return privateJson({ status: "ok", username, key: `/people/${username}` });
}

async function formLogin(context: RequestContext, sent: LoginFields): Promise<Reply> {
  const { username } = await logIn(context, loginOfForm(sent, context.request.headers));
  await doPending(context, username, sent.action);
  const target = redirectTarget(loginTarget(sent));
  // Q152: the pending action is only forgotten if the redirect leads back to a page that can run it.
  if (target !== undefined) context.cookies.push(deletedCookie("pending_action", context));
  notify(context, "accounts.welcome");
  return seeOther(target ?? "/");
}

/** Login page: either empty, or with the submitted values and the reason of the failure. */
interface LoginView extends Partial<LoginFields>, Pick<Page, "status" | "headers"> {
  readonly error?: Markup;
  /** Username, if a patron is logged in already. */
  readonly loggedIn?: string | undefined;
}

function loginPage(view: LoginView): Reply {
  const { action = "", username, remember, error, status, headers, loggedIn } = view;
  const target = redirectTarget(loginTarget(view)) ?? "/";
  const body = markup`${error !== undefined && errorSummary([{ message: error }])}
${loggedIn !== undefined && markup`<p>${say("accounts.is_logged_in", { name: loggedIn })}</p>`}
${form({
  action: "/account/login",
  fields: [
    {
      ...emailField({ label: say("accounts.email"), value: username }),
      name: "username",
      autocomplete: "username",
    },
    passwordField(),
    {
      name: "remember",
      label: say("accounts.remember"),
      type: "checkbox",
      checked: remember !== undefined,
    },
    { name: "redirect", label: "", type: "hidden", value: target },
    ...(action === "" ? [] : [{ name: "action", label: "", type: "hidden" as const, value: action }]),
  ],
  submit: say("account.log_in"),
})}
<p><a href="${FORGOT_PASSWORD}">${say("accounts.forgot")}</a></p>
<p>${say("accounts.no_account")} <a href="/account/create">${say("accounts.create")}</a></p>`;
  return accountPage({ title: say("account.log_in"), body, status, headers });
}

/** `GET /account/login`: the form. */
export const loginForm = operation({
  id: "loginPage",
  summary: "Page with the login form",
  tag: "account",
  query: {
    redirect: z.string().optional().describe("Path on this site to go to after the login"),
    redir_url: z.string().optional().describe("The same by another name"),
    action: z.string().default("").describe("`follow:<username>`: follow that patron after the login"),
  },
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle({ query }, context) {
    const session = await context.session();
    return loginPage({ ...query, loggedIn: session?.username });
  },
});

/**
 * `POST /account/login.json`: an object with `access` and `secret`, or `username` and `password`, of any content type:
 * browser code sends text/plain to avoid the preflight.
 */
export const loginJson = operation({
  id: "loginJson",
  summary: "Log in with JSON",
  tag: "account",
  body: {
    contentType: "application/json",
    description: "An object with `access` and `secret`, or with `username` and `password`",
  },
  inReadOnly: true,
  responses: {
    200: { description: "Logged in: cookies are set", schema: loginAnswer },
    400: { description: "Not logged in" },
    429: { description: "Too many failed logins" },
  },
  async handle(_input, context) {
    allowLoginOrigin(context);
    return jsonLogin(context, parsedJson(await bodyText(context.request, ACCOUNT_BODY_BYTES)));
  },
});

/** Lets pages of the origins in `LOGIN_ORIGINS`, and no others, read the response with cookies. */
function allowLoginOrigin({ request, settings, headers }: RequestContext): void {
  const origin = request.headers.get("Origin");
  if (origin === null || !settings.LOGIN_ORIGINS.includes(origin)) return;
  headers["Access-Control-Allow-Origin"] = origin;
  headers["Access-Control-Allow-Credentials"] = "true";
  headers["Vary"] = "Origin";
}
