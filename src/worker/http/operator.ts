import { clientGroup } from "./client-address.ts";
import { authenticationRequired, forbidden, tooManyRequests, unavailable } from "./errors.ts";
import type { RequestContext } from "./operation.ts";

const encoder = new TextEncoder();

/** Wrong tokens of any kind that a client may send in a quarter of an hour. */
const TOKEN_FAILURES = { limit: 10, seconds: 900 };

/**
 * Throws unless the client sends the secret as bearer token. Compared in constant time. Wrong tokens are counted
 * exactly; after too many of them a client gets 429, and its token is not compared.
 */
async function requireBearer(
  { request, stores, client, now }: RequestContext,
  secret: string | undefined,
  missing: string,
): Promise<void> {
  if (secret === undefined) throw unavailable(missing);
  const token = /^Bearer (\S+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
  if (token === undefined) throw authenticationRequired("Bearer");
  const throttle = stores.throttle.getByName(`token ${clientGroup(client)}`);
  const wait = await throttle.wait(now, TOKEN_FAILURES);
  if (wait > 0) throw tooManyRequests(wait, "Too many attempts with a wrong token.");
  if (await sameText(token, secret)) return;
  await throttle.count(now, TOKEN_FAILURES);
  throw forbidden("The token is not the right one.");
}

/** Compares digests, so that the time reveals neither content nor length. */
async function sameText(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(left, right);
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", encoder.encode(text));
}

/** Throws unless the client sends `LOAD_TOKEN`. */
export function requireOperator(context: RequestContext): Promise<void> {
  const missing = "No LOAD_TOKEN is configured, so nothing can be loaded.";
  return requireBearer(context, context.settings.LOAD_TOKEN, missing);
}

/** Throws unless the client sends `COVERS_SECRET`, which allows writing into the cover store (Q417). */
export function requireCoverWriter(context: RequestContext): Promise<void> {
  const missing = "No COVERS_SECRET is configured, so no covers can be written.";
  return requireBearer(context, context.settings.COVERS_SECRET, missing);
}
