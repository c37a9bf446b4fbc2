import { createHash } from "node:crypto";
import * as z from "zod";
import { type TokenScope, parseScopes } from "../../catalog/scopes.ts";
import { DAY_MS, HOUR_SECONDS, KIB } from "../../catalog/units.ts";
import { type OAuthClient, findOAuthClient, noteOAuthClientUse } from "../../db/accounts/oauth-clients.ts";
import { isSameHash, secretHash } from "../../db/accounts/secret-hash.ts";
import type { Exchange, NewToken } from "../../durable/patron/tokens.ts";
import { isRemoved } from "../../durable/protocol.ts";
import { type OpenedToken, openBearer, parseBasic, sealBearer } from "../http/bearer.ts";
import { failure } from "../http/failure.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { privateJson } from "../http/reply.ts";
import { forgetTokens, patronOf, secretsOf } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { isOwnResource } from "./authorize.ts";
import { OAUTH_ERROR, oauthError } from "./oauth-error.ts";

/** Lifetime of an access token in seconds. */
export const ACCESS_SECONDS = HOUR_SECONDS;
/** Days after which an app that was not used has to ask again: each refresh token lasts as long. */
const REFRESH_DAYS = 60;
const VERIFIER = /^[\w.~-]{43,128}$/;

const text = z.string().max(1000).optional();
const CLIENT_FIELDS = {
  client_id: text.describe("Id of the app; required unless sent by Basic authentication"),
  client_secret: text.describe("Secret of a confidential app, unless sent by Basic authentication"),
};

export const exchangeToken = operation({
  id: "exchangeToken",
  summary: "Exchange a code or a refresh token for tokens",
  tag: "oauth",
  form: {
    ...CLIENT_FIELDS,
    grant_type: text.describe("`authorization_code` or `refresh_token`"),
    code: text.describe("Code from the redirect"),
    redirect_uri: text.describe("Redirect address of the request for the code, if it had one"),
    code_verifier: text.describe("43 to 128 characters whose SHA-256 was the challenge (PKCE)"),
    refresh_token: text.describe("Refresh token, which is valid once"),
    scope: text.describe("With a refresh token: a part of its scopes"),
    resource: text.describe("Address of this service, or of its `/mcp` (RFC 8707)"),
  },
  bodyBytes: 16 * KIB,
  inReadOnly: true,
  responses: {
    200: {
      description: "Tokens",
      schema: z.object({
        access_token: z.string(),
        token_type: z.literal("Bearer"),
        expires_in: z.int().describe("Seconds"),
        refresh_token: z.string(),
        scope: z.string(),
      }),
    },
    400: OAUTH_ERROR,
    401: OAUTH_ERROR,
  },
  async handle({ form }, context) {
    const { now, stores, settings } = context;
    const client = await authenticateClient(context, form);
    if (!isOwnResource(context, form.resource)) throw oauthError("invalid_target", "bad_request.resource");
    const isCode = form.grant_type === "authorization_code";
    if (!isCode && form.grant_type !== "refresh_token") {
      throw oauthError("unsupported_grant_type", "bad_request.grant_type");
    }
    const sent = isCode ? form.code : form.refresh_token;
    if (sent === undefined) {
      throw oauthError("invalid_request", "bad_request.oauth_field", {
        name: isCode ? "code" : "refresh_token",
      });
    }
    const opened = await openBearer(sent, secretsOf(settings));
    if (opened?.kind !== (isCode ? "oac" : "ort")) throw invalidGrant();
    const scopes = form.scope === undefined || isCode ? opened.scopes : parseScopes(form.scope);
    if (
      scopes === undefined ||
      scopes.length === 0 ||
      !scopes.every((scope) => opened.scopes.includes(scope))
    ) {
      throw oauthError("invalid_scope", "bad_request.scope");
    }
    const access = await newToken(context, "oat", { ...opened, scopes });
    const refresh = await newToken(context, "ort", opened);
    const added = [access.stored, refresh.stored];
    const { tokens } = patronOf(stores, opened.username);
    const exchange = (): Promise<Exchange> => {
      if (!isCode) return tokens.refresh({ token: opened.id, now }, client.id, added);
      const verifier = form.code_verifier ?? "";
      // An invalid verifier has the digest of none: the code ends with it.
      const challenge = VERIFIER.test(verifier)
        ? createHash("sha256").update(verifier).digest("base64url")
        : "";
      return tokens.redeem(
        { code: opened.id, now },
        { client: client.id, redirect: form.redirect_uri, challenge },
        added,
      );
    };
    const result = await exchange().catch((error: unknown) => {
      if (isRemoved(error)) return "invalid" as const;
      throw error;
    });
    if (result === "replayed") {
      forgetTokens(context);
      const key = `/people/${opened.username}`;
      await audit(context, {
        event: "token-replayed",
        actor: null,
        subject: key,
        details: { app: client.name },
      });
    }
    if (typeof result === "string") throw invalidGrant();
    context.waitUntil(noteOAuthClientUse(stores.patrons, client.id, now));
    return privateJson({
      access_token: access.text,
      token_type: "Bearer",
      expires_in: ACCESS_SECONDS,
      refresh_token: refresh.text,
      scope: scopes.join(" "),
    });
  },
});

/** Makes a token of the grant of another one. Throws 503 if the service has no secret. */
export async function newToken(
  { settings, sources, now }: Pick<RequestContext, "settings" | "sources" | "now">,
  kind: "oat" | "ort",
  { username, scopes, grant }: Pick<OpenedToken, "username" | "grant"> & { scopes: readonly TokenScope[] },
): Promise<{ text: string; stored: NewToken }> {
  const [key] = secretsOf(settings);
  if (key === undefined) throw failure("unavailable.login");
  const { text: sealed, id } = await sealBearer(
    kind,
    { username, scopes, grant, secret: sources.newSecret(), now },
    key,
  );
  const stored: NewToken =
    kind === "oat"
      ? { id, kind: "use", expires: now + ACCESS_SECONDS * 1000 }
      : { id, kind: "refresh", expires: now + REFRESH_DAYS * DAY_MS };
  return { text: sealed, stored };
}

function invalidGrant() {
  return oauthError("invalid_grant", "bad_request.grant");
}

type ClientFields = { readonly client_id?: string | undefined; readonly client_secret?: string | undefined };

/** Finds the app that calls, and checks its secret in constant time. Throws 401. */
async function authenticateClient(context: RequestContext, form: ClientFields): Promise<OAuthClient> {
  const basic = parseBasic(context.request.headers.get("Authorization") ?? "");
  const { username: id = form.client_id, password: secret = form.client_secret } = basic ?? {};
  const client = id === undefined ? undefined : await findOAuthClient(context.stores.patrons, decode(id));
  const isRight =
    client !== undefined &&
    (client.secretHash === null || isSameHash(secretHash(decode(secret ?? "")), client.secretHash));
  if (!isRight) throw oauthError("invalid_client", "bad_request.client");
  return client;
}

/** Decodes a name or secret of Basic authentication, which OAuth encodes as in a form. */
function decode(encoded: string): string {
  return new URLSearchParams(`t=${encoded.replaceAll("&", "%26")}`).get("t") ?? "";
}

export const revokeOAuthToken = operation({
  id: "revokeOAuthToken",
  summary: "Revoke a token (RFC 7009)",
  tag: "oauth",
  form: {
    ...CLIENT_FIELDS,
    token: text.describe("Access, refresh or personal token; the last one without an app"),
    token_type_hint: text.describe("Ignored"),
  },
  bodyBytes: 16 * KIB,
  inReadOnly: true,
  responses: {
    200: { description: "The token is void, or was not valid" },
    400: OAUTH_ERROR,
    401: OAUTH_ERROR,
  },
  async handle({ form }, context) {
    if (form.token === undefined)
      throw oauthError("invalid_request", "bad_request.oauth_field", { name: "token" });
    const opened = await openBearer(form.token, secretsOf(context.settings));
    // Holders of a personal token may end it: that is what scanners do that find one.
    const client = opened?.kind === "pat" ? null : (await authenticateClient(context, form)).id;
    if (opened !== undefined) {
      const name = await patronOf(context.stores, opened.username).tokens.revoke(opened.id, client);
      forgetTokens(context);
      const key = `/people/${opened.username}`;
      if (name !== undefined)
        await audit(context, { event: "token-revoked", actor: null, subject: key, details: { name } });
    }
    return { status: 200, body: null, cacheControl: "no-store" };
  },
});
