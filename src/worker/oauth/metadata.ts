import * as z from "zod";
import { SCOPES, TOKEN_SCOPES } from "../../catalog/scopes.ts";
import { baseUrl, operation } from "../http/operation.ts";
import { json } from "../http/reply.ts";

const CACHED = "public, max-age=3600";
const urls = z.array(z.string());

/** Ways in which clients prove who they are. */
const CLIENT_METHODS = ["none", "client_secret_basic", "client_secret_post"];

export const authorizationServer = operation({
  id: "authorizationServer",
  summary: "Describe the authorization server (RFC 8414)",
  tag: "oauth",
  responses: {
    200: {
      description: "Endpoints and abilities",
      schema: z.looseObject({
        issuer: z.string(),
        authorization_endpoint: z.string(),
        token_endpoint: z.string(),
        scopes_supported: urls,
        code_challenge_methods_supported: urls,
      }),
    },
  },
  handle(_input, context) {
    const base = baseUrl(context);
    return json(
      {
        issuer: base,
        authorization_endpoint: `${base}/oauth2/authorize`,
        token_endpoint: `${base}/oauth2/token`,
        revocation_endpoint: `${base}/oauth2/revoke`,
        registration_endpoint: `${base}/oauth2/register`,
        userinfo_endpoint: `${base}/oauth2/userinfo`,
        scopes_supported: TOKEN_SCOPES,
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        token_endpoint_auth_methods_supported: CLIENT_METHODS,
        revocation_endpoint_auth_methods_supported: CLIENT_METHODS,
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        service_documentation: `${base}/docs`,
      },
      { cacheControl: CACHED },
    );
  },
});

export const protectedResource = operation({
  id: "protectedResource",
  summary: "Describe the protected resource (RFC 9728)",
  tag: "oauth",
  responses: {
    200: {
      description: "Resource, and where tokens for it come from",
      schema: z.object({
        resource: z.string(),
        resource_name: z.string(),
        authorization_servers: urls,
        scopes_supported: urls,
        bearer_methods_supported: urls,
        resource_documentation: z.string(),
      }),
    },
  },
  async handle(_input, context) {
    const base = baseUrl(context);
    return json(
      {
        resource: context.url.pathname.endsWith("/mcp") ? `${base}/mcp` : base,
        resource_name: (await context.site()).name,
        authorization_servers: [base],
        scopes_supported: SCOPES,
        bearer_methods_supported: ["header"],
        resource_documentation: `${base}/docs`,
      },
      { cacheControl: CACHED },
    );
  },
});
