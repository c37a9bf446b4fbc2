import { parsedJson } from "../../catalog/record.ts";
import { boundedBytes } from "../http/bytes.ts";

/** Timeout of a call to a provider, in milliseconds. */
const PROVIDER_TIMEOUT_MS = 10_000;
/** Largest response of a provider that is read, in bytes. */
const PROVIDER_ANSWER_BYTES = 65_536;

/** Response of a provider; `json` is undefined if the text is not JSON. */
export interface ProviderAnswer {
  readonly status: number;
  readonly json: unknown;
}

/** Reason of a missing response: a code that clients know. */
export type ProviderFailure = "request_timeout" | "undefined_error";

/** Calls a provider. Redirects are not followed: they would carry passwords elsewhere. */
export async function callProvider(url: URL, init: RequestInit): Promise<ProviderAnswer | ProviderFailure> {
  try {
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    const bytes = await boundedBytes(response.body, { limit: PROVIDER_ANSWER_BYTES });
    if (bytes === undefined) return "undefined_error";
    return { status: response.status, json: parsedJson(new TextDecoder().decode(bytes)) };
  } catch (error) {
    return error instanceof Error && error.name === "TimeoutError" ? "request_timeout" : "undefined_error";
  }
}
