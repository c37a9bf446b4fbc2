import type { Route } from "../http/operation.ts";
import { alias, get, inScope, operationsIn, post } from "../http/route-lines.ts";

const authorize = operationsIn(() => import("./authorize.ts"));
const clients = operationsIn(() => import("./clients.ts"));
const metadata = operationsIn(() => import("./metadata.ts"));
const token = operationsIn(() => import("./token.ts"));
const userInfo = operationsIn(() => import("./user-info.ts"));

export const OAUTH_ROUTES: readonly Route[] = [
  get("/.well-known/oauth-authorization-server", "public", metadata("authorizationServer")),
  get(
    ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"],
    "public",
    metadata("protectedResource"),
  ),
  inScope("login", get("/oauth2/authorize", "session-page", authorize("authorizeForm"))),
  inScope("login", post("/oauth2/authorize", "session-page", authorize("authorize"))),
  inScope("any", [
    ...post("/oauth2/register", "public", clients("registerClient")),
    ...post("/oauth2/token", "public", token("exchangeToken")),
    ...post("/oauth2/revoke", "public", token("revokeOAuthToken")),
    ...post("/oauth2/token-to-cookie", "public", userInfo("tokenToCookie")),
    ...get("/oauth2/userinfo", "session", userInfo("userInfo")),
    ...alias(post("/oauth2/userinfo", "session", userInfo("userInfo"))),
  ]),
].flat();
