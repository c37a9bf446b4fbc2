import { createHash, createHmac } from "node:crypto";
import { isSameHash } from "../../db/patrons/secret-hash.ts";

/** How tokens are signed: for this service's own reader by SHA-256, for others as they know it, by MD5 (lookup.md 12.4). */
export interface TokenKey {
  readonly algorithm: "sha256" | "md5";
  readonly secret: string;
}

/** A token that says until when somebody may do something with `id`: `<Unix seconds>-<hex of the MAC>`. */
export function makeToken(id: string, until: number, key: TokenKey): string {
  const seconds = Math.floor(until / 1000);
  return `${seconds}-${signature(`${id}-${seconds}`, key)}`;
}

/** True when the token was made for `id` and is still good at `now` (milliseconds). */
export function isTokenGood(
  token: string,
  { id, now }: { readonly id: string; readonly now: number },
  key: TokenKey,
): boolean {
  const [, seconds = "", mac = ""] = /^(\d{1,12})-([0-9a-f]+)$/.exec(token) ?? [];
  if (seconds === "" || Number(seconds) * 1000 < now) return false;
  return isSameHash(mac, signature(`${id}-${seconds}`, key));
}

/** A key that is good for tokens of readers alone, out of the secret that signs sessions. */
export function readerKeyFrom(sessionSecret: string): TokenKey {
  const secret = createHash("sha256").update(`reader tokens ${sessionSecret}`).digest("hex");
  return { algorithm: "sha256", secret };
}

function signature(text: string, { algorithm, secret }: TokenKey): string {
  return createHmac(algorithm, secret).update(text).digest("hex");
}
