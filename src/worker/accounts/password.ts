import { randomBytes, scrypt } from "node:crypto";

/** Cost of a hash: 16 MB and some 25 ms each of `p` rounds; an isolate has 128 MB. */
const COST = { N: 2 ** 14, r: 8, p: 5 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Hashes a password with a new salt: `scrypt$N$r$p$salt$hash`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password.normalize("NFKC"), salt);
  const { N, r, p } = COST;
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

function derive(password: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, COST, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
