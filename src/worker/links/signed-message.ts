import type { RequestContext } from "../context.ts";
import { CarrelError, badData, unavailable } from "../errors.ts";
import { isDigest } from "./digest.ts";

/** Longest message, in characters. */
export const SIGNED_MESSAGE_LENGTH_MAX = 1000;

/** What the service that scans books sends (lookup.md 17.6). */
export interface SignedMessage {
  /** HMAC-SHA-256 of `msg` with `LINK_SECRET`, in hexadecimal digits. */
  readonly digest: string;
  /** Parts with `|` in between, the last one when it ends: seconds since the epoch. */
  readonly msg: string;
}

/**
 * The parts of a message but its end. Throws 503 without a secret, 400 for one of another form, and 401 for one that is not
 * signed so or is over.
 */
export async function signedParts(
  { settings, now }: RequestContext,
  { digest, msg }: SignedMessage,
  count: number,
): Promise<string[]> {
  const { LINK_SECRET: secret } = settings;
  if (secret === undefined) throw unavailable("No LINK_SECRET is configured, so links cannot be told.");
  const parts = msg.split("|");
  const end = parts.pop() ?? "";
  // Q454: what is no message is told before who sent it.
  const isWhole = parts.length === count && !parts.includes("") && /^\d{1,12}(?:\.\d{1,9})?$/.test(end);
  if (!isWhole || msg.length > SIGNED_MESSAGE_LENGTH_MAX) throw badData("msg has another form");
  const isSigned = await isDigest(digest, msg, secret);
  if (!isSigned || Number(end) * 1000 <= now) throw notSigned();
  return parts;
}

function notSigned(): CarrelError {
  return new CarrelError(401, "bad_signature", {
    message: "The signature is wrong or too old",
    headers: { "WWW-Authenticate": "Signature" },
  });
}
