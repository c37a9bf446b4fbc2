import * as z from "zod";
import { parseScopes } from "../../catalog/scopes.ts";
import { KIB } from "../../catalog/units.ts";
import { findOAuthClient } from "../../db/accounts/oauth-clients.ts";
import { ownSession } from "../accounts/own-session.ts";
import { GRANT_LENGTH } from "../accounts/tokens.ts";
import { sealBearer } from "../http/bearer.ts";
import { failure } from "../http/failure.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { type Redirect, seeOther } from "../http/reply.ts";
import { patronOf, secretsOf } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { type Authorization, consentPage } from "./consent-page.ts";
import { type OAuthCode } from "./oauth-error.ts";
import { isRegistered, placeOf, withParameters } from "./redirect-address.ts";

/** Lifetime of a code in milliseconds. */
const CODE_MS = 60_000;
/** Longest `state`, which the answer repeats. */
const STATE_LENGTH = 1000;

const text = (length: number) => z.string().max(length).optional();
const PARAMETERS = {
  client_id: text(100).describe("Id of the app's registration"),
  redirect_uri: text(500).describe("Address of the app; may be absent if it has registered only one"),
  response_type: text(50).describe("`code`"),
  scope: z.string().max(200).default("read").describe("Scopes with blanks between them"),
  state: text(STATE_LENGTH).describe("Text that the answer repeats"),
  code_challenge: text(200).describe("SHA-256 of the verifier, as base64url (PKCE)"),
  code_challenge_method: text(20).describe("`S256`"),
  resource: text(500).describe("Address of this service, or of its `/mcp` (RFC 8707)"),
};
type AuthorizationParameters = z.output<z.ZodObject<typeof PARAMETERS>>;

/**
 * Checks the request of an app. Throws for an unknown app and for an address that is not its own, to which nothing may be
 * sent; returns a redirect to the app for all other errors.
 */
async function readAuthorization(
  context: RequestContext,
  parameters: AuthorizationParameters,
): Promise<Authorization | Redirect> {
  const { client_id: id = "", state, code_challenge: challenge = "" } = parameters;
  const client = await findOAuthClient(context.stores.patrons, id);
  if (client === undefined) throw failure("bad_request.unknown_app");
  const redirect =
    parameters.redirect_uri ?? (client.redirects.length === 1 ? client.redirects[0] : undefined);
  if (redirect === undefined || !isRegistered(redirect, client.redirects)) {
    throw failure("bad_request.unknown_redirect");
  }
  const authorization = { client, redirect, state, challenge, scopes: parseScopes(parameters.scope) ?? [] };
  const refuse = (error: OAuthCode) => refuseAuthorization(context, authorization, error);
  if (parameters.response_type !== "code") return refuse("unsupported_response_type");
  if (parameters.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(challenge))
    return refuse("invalid_request");
  if (authorization.scopes.length === 0) return refuse("invalid_scope");
  if (!isOwnResource(context, parameters.resource)) return refuse("invalid_target");
  return authorization;
}

/** Returns true for this service, and if no resource is named. */
export function isOwnResource(context: RequestContext, resource: string | undefined): boolean {
  const base = baseUrl(context);
  return resource === undefined || [base, `${base}/`, `${base}/mcp`].includes(resource);
}

function refuseAuthorization(
  context: RequestContext,
  { redirect, state }: Pick<Authorization, "redirect" | "state">,
  error: OAuthCode,
): Redirect {
  return seeOther(withParameters(redirect, { error, state, iss: baseUrl(context) }));
}

export const authorizeForm = operation({
  id: "authorizePage",
  summary: "Ask the user to allow an app access",
  tag: "oauth",
  query: PARAMETERS,
  responses: {
    200: { description: "Page", contentType: "text/html" },
    303: { description: "Redirect to the login, or to the app with an error" },
    400: { description: "Unknown app or redirect address" },
  },
  async handle({ query }, context) {
    const authorization = await readAuthorization(context, query);
    if (!("client" in authorization)) return authorization;
    const { username } = await ownSession(context);
    return consentPage(authorization, { username, place: placeOf(authorization.redirect) });
  },
});

export const authorize = operation({
  id: "authorize",
  summary: "Allow an app access, or refuse it",
  tag: "oauth",
  form: {
    ...PARAMETERS,
    asked: PARAMETERS.scope.describe("Scopes that the app has asked for"),
    scope: z.array(z.string().max(20)).max(20).default([]).describe("Scopes that are allowed"),
    decision: z.enum(["allow", "deny"]).describe("`allow` or `deny`"),
  },
  bodyBytes: 16 * KIB,
  responses: {
    303: { description: "Redirect to the app, with a code or an error" },
    400: { description: "Unknown app or redirect address" },
  },
  async handle({ form: { asked, scope: chosen, decision, ...parameters } }, context) {
    const authorization = await readAuthorization(context, { ...parameters, scope: asked });
    if (!("client" in authorization)) return authorization;
    const { client, redirect, challenge, state } = authorization;
    const scopes = authorization.scopes.filter((scope) => chosen.includes(scope));
    if (decision === "deny" || scopes.length === 0)
      return refuseAuthorization(context, authorization, "access_denied");
    const { username, key } = await ownSession(context);
    const { sources, settings, now } = context;
    const [secret] = secretsOf(settings);
    if (secret === undefined) throw failure("unavailable.login");
    const grant = sources.newSecret().slice(0, GRANT_LENGTH);
    const code = await sealBearer(
      "oac",
      { username, scopes, grant, secret: sources.newSecret(), now },
      secret,
    );
    const isAdded = await patronOf(context.stores, username).tokens.add(
      {
        id: grant,
        client: client.id,
        name: client.name,
        place: placeOf(redirect),
        scopes: scopes.join(" "),
        created: now,
        expires: null,
      },
      { id: code.id, kind: "code", expires: now + CODE_MS },
      { client: client.id, redirect, challenge },
    );
    if (!isAdded) throw failure("bad_data.too_many_tokens");
    await audit(context, {
      event: "app-allowed",
      subject: key,
      details: { app: client.name, client: client.id, scopes: scopes.join(" ") },
    });
    return seeOther(withParameters(redirect, { code: code.text, state, iss: baseUrl(context) }));
  },
});
