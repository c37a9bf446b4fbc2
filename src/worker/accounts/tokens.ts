import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type Scope, SCOPES } from "../../catalog/scopes.ts";
import { DAY_MS } from "../../catalog/units.ts";
import { sealBearer } from "../http/bearer.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { forgetTokens, patronOf, secretsOf } from "../http/session.ts";
import { resource } from "../http/views.ts";
import { audit } from "../platform/audit.ts";
import { command } from "../ui/command.ts";
import { mailNotice } from "./account-emails.ts";
import { ACCOUNT_BODY_BYTES, STATUS_OK } from "./account-form.ts";
import { confirmPassword } from "./authentication.ts";
import { ownAccount, ownSession } from "./own-session.ts";
import { tokensPage } from "./tokens-page.ts";

/** Characters of a grant's id, as base64url. */
export const GRANT_LENGTH = 11;
/** Days until a personal token ends if the request does not say. */
const DEFAULT_DAYS = 90;

const grantSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  created: z.string().describe("Naive UTC"),
  last_used: z.string().nullable().describe("Naive UTC, to the hour"),
  network: z.string().describe("Network of the last use"),
});
const tokenView = grantSchema.extend({ expires: z.string().nullable() });
const appView = grantSchema.extend({
  place: z.string().describe("Host or scheme of the app's redirect address"),
});
const tokensSchema = z.object({ tokens: z.array(tokenView), apps: z.array(appView) });

/** Reads the personal tokens and the apps with access, last used first. */
async function readTokens(context: RequestContext): Promise<z.infer<typeof tokensSchema>> {
  const { username } = await ownSession(context);
  const grants = await patronOf(context.stores, username).tokens.list(context.now);
  const views = grants.map(({ id, client, name, place, scopes, created, expires, seen, network }) => {
    const common = {
      id,
      name,
      scopes: scopes.split(" "),
      created: formatDatetime(created),
      last_used: seen === null ? null : formatDatetime(seen),
      network,
    };
    return client === null
      ? { token: { ...common, expires: expires === null ? null : formatDatetime(expires) } }
      : { app: { ...common, place } };
  });
  return {
    tokens: views.flatMap(({ token }) => token ?? []),
    apps: views.flatMap(({ app }) => app ?? []),
  };
}

export const tokens = resource({
  id: "tokens",
  summary: "List your tokens and the apps with access",
  tag: "account",
  responses: {
    200: { description: "Tokens and apps, last used first", schema: tokensSchema, also: ["text/html"] },
  },
  read: (_input, context) => readTokens(context),
  page: (list, _input, context) => tokensPage(context, list),
});

/** Requires the password (Q155), because a token still works after all sessions have ended. */
export const makeToken = command({
  id: "makeToken",
  summary: "Create a personal token",
  tag: "account",
  form: {
    name: z.string().trim().min(1).max(80).describe("Name by which you will know the token"),
    scope: z.array(z.enum(SCOPES)).min(1).describe("Scopes of the token; several fields, or an array"),
    days: integer(z.int().gte(1)).default(DEFAULT_DAYS).describe("Days until the token ends"),
    password: z.string().default("").describe("Password of the account"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "Token, which is shown once",
      schema: z.object({
        id: z.string(),
        token: z.string(),
        scopes: z.array(z.string()),
        expires: z.string(),
      }),
      also: ["text/html"],
    },
  },
  load: (_input, context) => ownAccount(context),
  async submit({ form: { name, scope, days, password }, loaded: account }, context) {
    const { sources, settings, now } = context;
    const { ACCESS_DAYS_MAX: most } = settings;
    if (days > most) throw failure("bad_data.token_days", { most }, { field: "days" });
    const [key] = secretsOf(settings);
    if (key === undefined) throw failure("unavailable.login");
    const { username } = account;
    await confirmPassword(context, account, password);
    const scopes: Scope[] = SCOPES.filter((one) => scope.includes(one));
    const grant = sources.newSecret().slice(0, GRANT_LENGTH);
    const token = await sealBearer("pat", { username, scopes, grant, secret: sources.newSecret(), now }, key);
    const expires = now + days * DAY_MS;
    const isAdded = await patronOf(context.stores, username).tokens.add(
      { id: grant, client: null, name, place: "", scopes: scopes.join(" "), created: now, expires },
      { id: token.id, kind: "use", expires },
      null,
    );
    if (!isAdded) throw failure("bad_data.too_many_tokens");
    mailNotice(context, "token", account);
    await audit(context, {
      event: "token-made",
      subject: `/people/${username}`,
      details: { scopes: scopes.join(" ") },
    });
    return { id: grant, token: token.text, scopes, expires: formatDatetime(expires) };
  },
  page: async ({ token }, _input, context) => tokensPage(context, await readTokens(context), { made: token }),
  again: async (refusal, { form }, context) =>
    tokensPage(context, await readTokens(context), { refusal, typed: form }),
});

export const revokeToken = command({
  id: "revokeToken",
  summary: "Revoke a token, or the access of an app",
  tag: "account",
  form: { id: z.string().max(GRANT_LENGTH).describe("`id` of the token or app") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "Revoked", schema: STATUS_OK },
    303: { description: "For browsers: redirect to the page of tokens" },
    404: { description: "No such token" },
  },
  async submit({ form: { id } }, context) {
    const { username, key } = await ownSession(context);
    const name = await patronOf(context.stores, username).tokens.end(id);
    if (name === undefined) throw notFound();
    forgetTokens(context);
    await audit(context, { event: "token-revoked", subject: key, details: { name } });
    return { status: "ok" };
  },
  done: { to: "/account/tokens", notice: "tokens.revoked" },
});
