import * as oauth from "oauth4webapi";
import { logLine } from "../../http/log.ts";
import type { RequestContext } from "../../http/operation.ts";
import { baseUrl } from "../../http/operation.ts";
import type { Settings } from "../../http/settings.ts";
import { type AuthReason, type AuthResult, fetchProvider, outageOf, refuse } from "../identity.ts";
import { type Issuer, findIssuer, readUser, takesBasic } from "../oidc.ts";
import type { PendingLogin } from "./pending-login.ts";

/** Tolerated difference between the clocks of issuer and service, in seconds. */
const CLOCK_SECONDS = 60;

/** Returns the issuer of the settings, or the reason why it cannot log users in. */
export async function findRedirectIssuer({ settings, now }: Pick<RequestContext, "settings" | "now">) {
  const issuer = await findIssuer({ issuer: issuerUrl(settings), now: () => now });
  if (typeof issuer === "string") return issuer;
  const { authorization_endpoint: page, jwks_uri: keys } = issuer;
  return page === undefined || keys === undefined ? "security_error" : { issuer, page };
}

function issuerUrl({ OIDC_ISSUER }: Settings): string {
  return OIDC_ISSUER.replace(/\/$/, "");
}

function redirectUri(context: RequestContext): string {
  return `${baseUrl(context)}/account/login/oidc/callback`;
}

/** Returns the address at which the issuer logs the user in, and the secrets with which this service checks its answer. */
export async function startAtIssuer(
  context: RequestContext,
  page: string,
): Promise<{ url: URL; secrets: Pick<PendingLogin, "state" | "nonce" | "verifier"> }> {
  const secrets = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const url = new URL(page);
  const parameters = {
    client_id: context.settings.OIDC_CLIENT_ID,
    redirect_uri: redirectUri(context),
    response_type: "code",
    scope: "openid email profile",
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url, secrets };
}

/**
 * Checks the answer of the issuer, exchanges its code, and checks signature, issuer, audience and nonce of the ID token.
 * Returns the identity: issuers may have the email address in the token or at the userinfo endpoint only.
 */
export async function finishAtIssuer(
  context: RequestContext,
  issuer: Issuer,
  { state, nonce, verifier }: PendingLogin,
): Promise<AuthResult> {
  const { settings, url } = context;
  const { OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = settings;
  const client: oauth.Client = { client_id: id, [oauth.clockTolerance]: CLOCK_SECONDS };
  const options = {
    [oauth.customFetch]: fetchProvider,
    [oauth.allowInsecureRequests]: issuerUrl(settings).startsWith("http:"),
  };
  const authentication =
    secret === ""
      ? oauth.None()
      : takesBasic(issuer)
        ? oauth.ClientSecretBasic(secret)
        : oauth.ClientSecretPost(secret);
  try {
    const answer = oauth.validateAuthResponse(issuer, client, url, state);
    const request = [issuer, client, authentication, answer, redirectUri(context), verifier] as const;
    const response = await oauth.authorizationCodeGrantRequest(...request, options);
    const tokens = await oauth.processAuthorizationCodeResponse(issuer, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(issuer, response, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined) return refuse("login_answer");
    const userInfo = await oauth.userInfoRequest(issuer, client, tokens.access_token, options);
    const user = await oauth.processUserInfoResponse(issuer, client, claims.sub, userInfo);
    const result = readUser({ issuer: issuerUrl(settings) }, { ...claims, ...user });
    return !result.ok && result.reason === "invalid_email" ? refuse("login_no_email") : result;
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    logLine("warn", "oidc", { requestId: context.requestId, code, message, error: errorCodeOf(error) });
    return refuse(reasonOf(error));
  }
}

/** Returns the error that the issuer names, undefined if it names none. */
function errorCodeOf(error: unknown): string | undefined {
  const isNamed =
    error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError;
  return isNamed ? error.error : undefined;
}

function reasonOf(error: unknown): AuthReason {
  const code = errorCodeOf(error);
  if (code === "server_error" || code === "temporarily_unavailable") return "request_timeout";
  if (error instanceof oauth.AuthorizationResponseError) return "login_refused";
  if (code === "invalid_grant") return "login_expired";
  const isChecked =
    error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError;
  return isChecked ? "login_answer" : code === undefined ? outageOf(error) : "security_error";
}
