import { Buffer } from "node:buffer";
import type { ApiKey } from "../../db/accounts/read-secrets.ts";

const CODE_BYTES = 16;
const ACCESS_BYTES = 8;
const SECRET_BYTES = 16;

export function newCode(): string {
  return randomHex(CODE_BYTES);
}

export function newApiKey(): ApiKey {
  return { access: randomHex(ACCESS_BYTES), secret: randomHex(SECRET_BYTES) };
}

/** Letters and digits that look different on any screen: five bits each. */
const SYNC_ALPHABET = "abcdefghjkmnpqrstuvwxyz023456789";
const SYNC_KEY = { groups: 6, letters: 4 };

/** Returns a key of 120 random bits to type on an e-reader: `k7fq-2m9x-a3hd-w5tn-q8rj-m4ye`. */
export function newSyncKey(): string {
  const groups = Array.from({ length: SYNC_KEY.groups }, () =>
    Array.from(
      crypto.getRandomValues(new Uint8Array(SYNC_KEY.letters)),
      (byte) => SYNC_ALPHABET[byte % 32],
    ).join(""),
  );
  return groups.join("-");
}

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}
