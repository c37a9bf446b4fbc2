import * as z from "zod";
import type { TextValues } from "../../catalog/texts.ts";
import { type Failure, type FailureKey, failure } from "../http/failure.ts";

/** Codes of errors (RFC 6749, 7591, 8707), which clients read. */
export type OAuthCode =
  | "access_denied"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "unsupported_grant_type"
  | "unsupported_response_type";

const oauthErrorSchema = z.object({ error: z.string(), error_description: z.string() });
export const OAUTH_ERROR = { description: "Refused, with a code of OAuth", schema: oauthErrorSchema };

/** Makes the refusal of an endpoint that programs call. */
export function oauthError(code: OAuthCode, key: FailureKey, values?: TextValues): Failure {
  const { message, status } = failure(key, values);
  const headers: Record<string, string> =
    code === "invalid_client" ? { "WWW-Authenticate": 'Basic realm="OAuth"' } : {};
  return failure(key, values, {
    status: code === "invalid_client" ? 401 : status,
    code,
    headers,
    body: { error: code, error_description: message },
  });
}
