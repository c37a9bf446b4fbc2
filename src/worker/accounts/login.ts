import * as z from "zod";
import { bodyText } from "../http/bytes.ts";
import { type ValidationFailure, validationFailed } from "../http/errors.ts";
import { tryParseJson } from "../../catalog/record.ts";
import { invalid, validationFailure } from "../http/input-failures.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { privateJson } from "../http/reply.ts";
import { isJson } from "../http/request-body.ts";
import { command } from "../ui/command.ts";
import { ACCOUNT_BODY_BYTES, PAGE } from "./account-form.ts";
import { type Credentials, logIn } from "./authentication.ts";
import { NEXT_FIELDS, leaveLogin, toLoginView } from "./after-login.ts";
import { isRedirectLogin } from "./login-elsewhere.ts";
import { loginFailed } from "./login-failures.ts";
import { loginPage } from "./login-page.ts";

const loginAnswer = z.object({ status: z.literal("ok"), username: z.string(), key: z.string() });

/** Fields of the login form. Keys can replace address and password, so neither is required here. */
const LOGIN_FIELDS = {
  username: z.string().optional().describe("Email address; required unless keys are sent"),
  password: z.string().optional().describe("Required unless keys are sent"),
  remember: z.string().optional().describe("Boolean; keep the session for a year after its last use"),
  ...NEXT_FIELDS,
  access: z.string().optional().describe("Access key of an API key pair"),
  secret: z.string().optional().describe("Secret of an API key pair"),
  test: z.string().optional(),
};

export const login = command({
  id: "login",
  summary: "Log in",
  tag: "account",
  form: LOGIN_FIELDS,
  bodyBytes: ACCOUNT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "Logged in with JSON", schema: loginAnswer },
    303: { description: "Logged in with the form; cookies set" },
    400: { description: "Login failed" },
    429: { description: "Too many failed logins" },
  },
  async submit({ form: fields }, context) {
    if (isJson(context.request)) return logInWithJson(context, fields);
    const { headers } = context.request;
    const access = fields.access ?? headers.get("X-S3-Access");
    const secret = fields.secret ?? headers.get("X-S3-Secret");
    const keys: Credentials | undefined =
      access === null || secret === null ? undefined : { kind: "keys", access, secret };
    const remember = boolean().default(false).safeParse(fields.remember);
    // All failures at once, which repeat no value of a name or password.
    const failures: ValidationFailure[] = [];
    for (const name of ["username", "password"] as const) {
      if (keys !== undefined || fields[name] !== undefined) continue;
      failures.push(invalid(["body", name], { key: "validation.missing" }, { type: "missing" }));
    }
    for (const issue of remember.error?.issues ?? []) {
      failures.push({
        ...validationFailure(issue, "body"),
        loc: ["body", "remember"],
        input: fields.remember,
      });
    }
    if (failures.length > 0) throw validationFailed(failures);
    const { username: email = "", password = "" } = fields;
    const { username } = await logIn(context, {
      credentials: keys ?? { kind: "email", email, password },
      remember: remember.data ?? false,
    });
    return leaveLogin(context, username, fields);
  },
  again: (refusal, { form: fields }, { settings }) => loginPage(settings, toLoginView(fields), { refusal }),
});

/** Logs in with a JSON object; the session ends with the browser. */
async function logInWithJson(context: RequestContext, body: unknown) {
  const credentials = parseJsonLogin(body);
  if (credentials === undefined) throw loginFailed("missing_fields");
  const { username } = await logIn(context, { credentials, remember: false });
  return { status: "ok", username, key: `/people/${username}` };
}

export const loginForm = operation({
  id: "loginPage",
  summary: "Show the login form",
  tag: "account",
  query: { ...NEXT_FIELDS, logged_out: boolean().default(false).describe("The user has just logged out") },
  responses: {
    ...PAGE,
    303: { description: "Logged in as the user whom the proxy names; cookies set" },
    403: { description: "The proxy names no user", contentType: "text/html" },
  },
  async handle({ query }, context) {
    const { settings } = context;
    const view = toLoginView(query);
    if (settings.IDENTITY_PROVIDER === "forward") {
      const { logInByProxy } = await import("./federation/forward-auth.ts");
      return logInByProxy(context, view);
    }
    const session = await context.session();
    const endSession = query.logged_out ? await findEndSession(context) : undefined;
    return loginPage(settings, view, { loggedIn: session?.username, endSession });
  },
});

/** Returns the address that ends the session at the issuer, if users log in there and it has one. */
async function findEndSession({ settings, now }: RequestContext): Promise<string | undefined> {
  if (!isRedirectLogin(settings)) return undefined;
  const { findIssuer } = await import("./oidc.ts");
  const issuer = await findIssuer({ issuer: settings.OIDC_ISSUER.replace(/\/$/, ""), now: () => now });
  const url = typeof issuer === "string" ? null : URL.parse(issuer.end_session_endpoint ?? "");
  url?.searchParams.set("client_id", settings.OIDC_CLIENT_ID);
  return url?.href;
}

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
    description: "Object with `access` and `secret`, or with `username` and `password`",
  },
  inReadOnly: true,
  responses: {
    200: { description: "Logged in; cookies set", schema: loginAnswer },
    400: { description: "Login failed" },
    429: { description: "Too many failed logins" },
  },
  async handle(_input, context) {
    const { request, settings, headers } = context;
    const origin = request.headers.get("Origin");
    // Pages of these origins, and no others, read the response with cookies.
    if (origin !== null && settings.LOGIN_ORIGINS.includes(origin)) {
      headers["Access-Control-Allow-Origin"] = origin;
      headers["Access-Control-Allow-Credentials"] = "true";
      headers["Vary"] = "Origin";
    }
    const body = tryParseJson(await bodyText(request, ACCOUNT_BODY_BYTES));
    return privateJson(await logInWithJson(context, body));
  },
});

const jsonLogin = z.union([
  z.object({ access: z.string(), secret: z.string() }),
  z.object({ username: z.string(), password: z.string() }),
]);

export function parseJsonLogin(value: unknown): Credentials | undefined {
  const { data } = jsonLogin.safeParse(value);
  if (data === undefined) return undefined;
  if ("access" in data) return { kind: "keys", access: data.access, secret: data.secret };
  const { username, password } = data;
  // Q151: an email address is accepted too.
  return username.includes("@")
    ? { kind: "email", email: username, password }
    : { kind: "username", username, password };
}
