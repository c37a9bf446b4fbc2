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

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}
