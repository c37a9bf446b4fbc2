import { Buffer } from "node:buffer";
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { toNormalForm } from "../../catalog/matching/match-keys.ts";

/** Cost of a hash: 16 MB and some 25 ms for each of `p` rounds; an isolate has 128 MB. */
const COST = { N: 2 ** 14, r: 8, p: 5 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

export const PASSWORD_LENGTH = { min: 8, max: 128 };
/** Longest text that is compared with a stored password, in characters. */
const COMPARED_LENGTH = 1024;
const STORED = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

type Cost = Readonly<typeof COST>;

/** Placeholder hash that matches no password: comparing with it takes as long as with any other. */
export const NO_PASSWORD = `scrypt$${COST.N}$${COST.r}$${COST.p}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Hashes a password with a new salt: `scrypt$N$r$p$salt$hash`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, { salt, length: KEY_BYTES, cost: COST });
  const { N, r, p } = COST;
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Compares in constant time. `outdated`: right, but hashed at another cost, so the caller should hash it again. */
export async function verifyPassword(
  password: string,
  stored: string,
): Promise<"right" | "outdated" | "wrong"> {
  if (password.length > COMPARED_LENGTH) return "wrong";
  const [, n, r, p, salt = "", hash = ""] = STORED.exec(stored) ?? [];
  if (hash === "") throw new Error("a stored password hash cannot be read");
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  const expected = Buffer.from(hash, "base64url");
  const salted = { salt: Buffer.from(salt, "base64url"), length: expected.length, cost };
  if (!timingSafeEqual(await derive(password, salted), expected)) return "wrong";
  return cost.N === COST.N && cost.r === COST.r && cost.p === COST.p ? "right" : "outdated";
}

function derive(
  password: string,
  { salt, length, cost }: { salt: Uint8Array; length: number; cost: Cost },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(toNormalForm(password, "NFKC"), salt, length, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
