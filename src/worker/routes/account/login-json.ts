import { jsonLogin, loginAnswer } from "../../accounts/json-login.ts";
import { loginFailed } from "../../accounts/login-failure.ts";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { bodyText } from "../../http/bytes.ts";
import { type RequestContext, operation } from "../../http/operation.ts";

/**
 * `POST /account/login.json`: an object with `access` and `secret`, or `username` and `password`, under any content type:
 * browser code sends it as text/plain to spare the preflight.
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
    return jsonLogin(context, parsed(await bodyText(context.request, ACCOUNT_BODY_BYTES)));
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw loginFailed("missing_fields");
    throw error;
  }
}

/** Lets pages of the origins in `LOGIN_ORIGINS` read the answer, with cookies; no others. */
function allowLoginOrigin({ request, settings, headers }: RequestContext): void {
  const origin = request.headers.get("Origin");
  if (origin === null || !settings.LOGIN_ORIGINS.includes(origin)) return;
  headers["Access-Control-Allow-Origin"] = origin;
  headers["Access-Control-Allow-Credentials"] = "true";
  headers["Vary"] = "Origin";
}
