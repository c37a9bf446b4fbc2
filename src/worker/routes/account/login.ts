import { bodyOf, jsonLogin, loginAnswer } from "../../accounts/json-login.ts";
import { logIn } from "../../accounts/login.ts";
import {
  type LoginFields,
  ACCOUNT_BODY_BYTES,
  LOGIN_FIELDS,
  loginOfForm,
  wantedTarget,
} from "../../accounts/login-form.ts";
import { FORGOT_PASSWORD } from "../../accounts/paths.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { redirectTarget } from "../../http/redirect-target.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { CarrelError } from "../../http/errors.ts";
import { loginPage } from "../../pages/account/login-page.ts";
import { doPending } from "../../patrons/people/pending-action.ts";
import { deletedCookie } from "../../http/session.ts";
import { isJson } from "../../http/request-body.ts";
import { wantsHtml } from "../../http/accept.ts";

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
  async handle({ form }, context) {
    if (isJson(context.request)) return jsonLogin(context, bodyOf(form));
    try {
      return await formLogin(context, form);
    } catch (error) {
      // People get the form again, with what they have filled in.
      if (error instanceof CarrelError && wantsHtml(context.request)) return again(form, error);
      throw error;
    }
  },
});

async function formLogin(context: RequestContext, form: LoginFields): Promise<Reply> {
  const { username } = await logIn(context, loginOfForm(form, context.request.headers));
  await doPending(context, username, form.action);
  const target = redirectTarget(wantedTarget(form));
  // Q152: what the page wanted to do is forgotten only if it comes back to where it can be done.
  if (target !== undefined) context.cookies.push(deletedCookie("pending_action", context));
  return seeOther(target ?? "/");
}

function again(form: LoginFields, { status, message, headers }: CarrelError): Reply {
  return loginPage({
    redirect: redirectTarget(wantedTarget(form)) ?? "/",
    action: form.action,
    email: form.username,
    remember: form.remember !== undefined,
    error: status === 422 ? "Please fill in all fields." : message,
    status,
    headers,
    forgot: FORGOT_PASSWORD,
  });
}
