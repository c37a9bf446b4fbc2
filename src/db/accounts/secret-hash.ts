import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Hashes a random secret, in hex. Random secrets cannot be guessed, so one round is enough; passwords need more
 * (src/worker/accounts/password-hash.ts).
 */
export function secretHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Compares two hashes in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
