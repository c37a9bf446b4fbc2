import { Buffer } from "node:buffer";

const encoder = new TextEncoder();
/** Hexadecimal digits of an HMAC-SHA-256. */
const HMAC_DIGITS = 64;

/** True when `digest` is the HMAC-SHA-256 of a message in hexadecimal digits; compared in constant time. */
export async function isDigest(digest: string, message: string, secret: string): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
  const given = Buffer.from(digest.slice(0, HMAC_DIGITS), "hex");
  return digest.length === HMAC_DIGITS && crypto.subtle.verify("HMAC", key, given, encoder.encode(message));
}
