import * as z from "zod";
import { type OAuthClient, addOAuthClient, deleteOldOAuthClients } from "../../db/accounts/oauth-clients.ts";
import { secretHash } from "../../db/accounts/secret-hash.ts";
import { TOKEN_PREFIX } from "../../catalog/scopes.ts";
import { HOUR_SECONDS, KIB } from "../../catalog/units.ts";
import { byAddress, spend } from "../accounts/budgets.ts";
import { operation } from "../http/operation.ts";
import type { Jobs } from "../http/queue.ts";
import { json, NO_STORE } from "../http/reply.ts";
import { OAUTH_ERROR, oauthError } from "./oauth-error.ts";
import { isRedirectAddress } from "./redirect-address.ts";

/** Registrations from one network in an hour. */
const CLIENTS_FROM_ONE = { limit: 30, seconds: HOUR_SECONDS };
const REDIRECTS_MAX = 10;
const NAME_LENGTH = 80;
const URL_LENGTH = 500;
/** Prefix of the secrets of apps. */
const SECRET_PREFIX = `${TOKEN_PREFIX}ocs_`;

const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;
const known = (values: readonly string[]) => z.array(z.enum(values)).max(5).optional();

const metadata = z.object({
  client_name: z.string().max(1000).default(""),
  client_uri: z.string().max(URL_LENGTH).default(""),
  redirect_uris: z.array(z.string().max(URL_LENGTH)).min(1).max(REDIRECTS_MAX),
  token_endpoint_auth_method: z.enum(AUTH_METHODS).default("client_secret_basic"),
  grant_types: known(["authorization_code", "refresh_token"]),
  response_types: known(["code"]),
  scope: z.string().max(200).optional(),
});

export const registerClient = operation({
  id: "registerClient",
  summary: "Register an app (RFC 7591)",
  tag: "oauth",
  // Other members are ignored, and all are checked below: errors have a shape of their own.
  json: z.looseObject({
    client_name: z.unknown().optional().describe("Name that users see when they allow access"),
    client_uri: z.unknown().optional().describe("Web page of the app"),
    redirect_uris: z
      .unknown()
      .optional()
      .describe("HTTPS addresses, addresses of the app's own scheme, or http://127.0.0.1 with any port"),
    token_endpoint_auth_method: z
      .unknown()
      .optional()
      .describe(`${AUTH_METHODS.join(", ")}; \`none\` for apps that cannot keep a secret`),
  }),
  bodyBytes: 16 * KIB,
  responses: {
    201: {
      description: "Registered; the secret is shown once",
      schema: z.looseObject({
        client_id: z.string(),
        client_secret: z.string().optional(),
        client_id_issued_at: z.int(),
        client_name: z.string(),
        redirect_uris: z.array(z.string()),
      }),
    },
    400: OAUTH_ERROR,
    429: { description: "Too many registrations" },
  },
  async handle({ json: sent }, context) {
    const { sources, stores, now } = context;
    const { data, error } = metadata.safeParse(sent);
    if (data === undefined) {
      const member = String(error.issues[0]?.path[0] ?? "");
      const code = member === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata";
      throw oauthError(code, "bad_request.client_member", { member });
    }
    const { redirect_uris: redirects, token_endpoint_auth_method: method } = data;
    const refused = redirects.find((address) => !isRedirectAddress(address));
    if (refused !== undefined)
      throw oauthError("invalid_redirect_uri", "bad_request.redirect_address", { address: refused });
    const uri = URL.parse(data.client_uri)?.protocol === "https:" ? data.client_uri : "";
    const secret =
      method === "none" ? undefined : `${SECRET_PREFIX}${sources.newSecret()}${sources.newSecret()}`;
    const host = new URL(String(redirects[0])).host;
    const client: OAuthClient = {
      id: sources.newSecret(),
      secretHash: secret === undefined ? null : secretHash(secret),
      name: cleanText(data.client_name).slice(0, NAME_LENGTH) || host || "App",
      uri,
      redirects,
    };
    await spend(context, byAddress(context, "registrations of apps", CLIENTS_FROM_ONE));
    await addOAuthClient(stores.patrons, { ...client, created: now });
    return json(
      {
        client_id: client.id,
        ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
        client_id_issued_at: Math.floor(now / 1000),
        client_name: client.name,
        client_uri: uri === "" ? undefined : uri,
        redirect_uris: redirects,
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: method,
      },
      { status: 201, cacheControl: NO_STORE },
    );
  },
});

/** Returns a text without control characters and marks of direction, which could make another text of the page around it. */
function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Statements of one run of the scheduled task. */
const PRUNE_STATEMENTS = 20;

/** Scheduled task: deletes registrations of apps that are not used. */
export async function pruneClients({ stores: { patrons }, sources }: Jobs): Promise<void> {
  for (let count = 0; count < PRUNE_STATEMENTS; count += 1) {
    if (!(await deleteOldOAuthClients(patrons, sources.now()))) return;
  }
}
