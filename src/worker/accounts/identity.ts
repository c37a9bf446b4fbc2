import { tryParseJson } from "../../catalog/record.ts";
import { boundedBytes } from "../http/bytes.ts";

export interface Identity {
  /** Permanent id at the provider; "" if the provider is the account store itself. */
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly screenName: string;
  readonly preferredName: string;
  readonly locked: boolean;
  /** True if the patron may read the items for the print-disabled. */
  readonly specialAccess: boolean;
  /** Username, if the provider is the account store itself: there is nothing to link. */
  readonly account?: string;
}

/** Reason of a failed login: a code that clients know, or the provider's text. Clients see it: it has no secrets. */
export type AuthReason = string;

export type AuthResult =
  | {
      readonly ok: true;
      readonly identity: Identity;
      /** Key pair `access:secret` with which the provider lends to the patron. */
      readonly lendingCredential?: string | undefined;
    }
  | { ok: false; reason: AuthReason };

export interface RegistrationForm {
  readonly email: string;
  readonly password: string;
  /** Screen name; the local provider takes it as the username. */
  readonly screenName: string;
  readonly newsletters: boolean;
}

/** Identity provider. No method throws because the provider does not answer. */
export interface IdentityProvider {
  authenticate(email: string, password: string, client: { ip: string }): Promise<AuthResult>;
  authenticateKeys(access: string, secret: string): Promise<AuthResult>;
  /** Returns null if the provider does not know the person, or cannot say. */
  lookup(who: { email: string } | { subject: string }): Promise<Identity | null>;
  register?(form: RegistrationForm): Promise<AuthResult>;
  /**
   * Confirms the address of a registration with the emailed token. The local provider sets this password, because the
   * person who registered may not own the address.
   */
  activate?(token: string, password: string): Promise<AuthResult>;
  readonly otp?: {
    issue(email: string, ip: string): Promise<{ ok: boolean; rateLimited?: boolean }>;
    redeem(email: string, code: string, ip: string): Promise<AuthResult>;
  };
  /** Pages of the provider, if it and not this service changes passwords and addresses. */
  readonly urls?: { settings?: string; forgotPassword?: string };
}

export function refuse(reason: AuthReason): AuthResult {
  return { ok: false, reason };
}

const PROVIDER_TIMEOUT_MS = 10_000;
const PROVIDER_ANSWER_BYTES = 65_536;

/**
 * Calls a provider and reads its whole answer. Redirects are not followed: they would carry passwords elsewhere. Throws if
 * the answer is too long, too late or absent.
 */
export async function fetchProvider(url: URL | string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
  const response = await fetch(url, { ...init, redirect: "manual", signal });
  const bytes = await boundedBytes(response.body, { limit: PROVIDER_ANSWER_BYTES });
  if (bytes === undefined) throw new Error(`an answer of more than ${PROVIDER_ANSWER_BYTES} bytes`);
  return new Response(bytes.length === 0 ? null : bytes, response);
}

/** Returns the reason for a failed call of a provider. */
export function outageOf(error: unknown): "request_timeout" | "undefined_error" {
  return error instanceof Error && error.name === "TimeoutError" ? "request_timeout" : "undefined_error";
}

/** Calls a provider. `json` is undefined if the text is not JSON. Returns the reason as a string on failure. */
export async function callProvider(
  url: URL,
  init: RequestInit,
): Promise<{ status: number; json: unknown } | ReturnType<typeof outageOf>> {
  try {
    const response = await fetchProvider(url, init);
    return { status: response.status, json: tryParseJson(await response.text()) };
  } catch (error) {
    return outageOf(error);
  }
}
