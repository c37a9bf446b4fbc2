import { Buffer } from "node:buffer";

/**
 * Format of the cookie `session`: `/people/<username>,<time>,<key id>.<session id>$<mac>`. Clients read their username
 * from its text, so it starts unencrypted and is percent-encoded except for the slashes.
 */

/**
 * Contents of a session cookie. `time` is naive UTC to the second. Decoded, the cookie of `ann` is
 * `/people/ann,2026-11-01T10:00:00,f0e151.k3$QqnwTI1J…`: key of the user, time, id of the secret, id of the session,
 * MAC.
 */
type SessionToken = { username: string; time: string; id: string };

export const SESSION_COOKIE = "session";
const COOKIE_LENGTH = 400;

const PEOPLE = "/people/";
const KEY_ID_LENGTH = 6;
const encoder = new TextEncoder();

export async function sealToken({ username, time, id }: SessionToken, secret: string): Promise<string> {
  const signer = await signerOf(secret);
  const text = `${PEOPLE}${username},${time},${signer.keyId}.${id}`;
  const sealed = `${text}$${await signer.sign(text)}`;
  return encodeURIComponent(sealed).replaceAll("%2F", "/");
}

/**
 * Reads a cookie in any form that clients send back: percent-encoded, plain, or quoted with octal commas. Returns
 * undefined if it is malformed or not signed by one of the secrets. Signatures are compared in constant time.
 */
export async function openToken(cookie: string, secrets: readonly string[]) {
  const text = decodeCookie(cookie);
  const [, head = "", name = "", time = "", keyId = "", id = "", mac = ""] =
    /^(\/people\/([^,/]+),(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d),(\w+)\.([\w-]+))\$([\w-]+)$/.exec(text) ?? [];
  if (head === "") return undefined;
  for (const secret of secrets) {
    const signer = await signerOf(secret);
    if (signer.keyId === keyId && (await signer.verify(head, mac))) return { username: name, time, id };
  }
  return undefined;
}

/** Returns true for a session cookie that was made from a token, before its signature is checked. */
export function isTokenCookie(cookie: string | undefined): boolean {
  return cookie?.includes(".t-") === true;
}

export function cookieValue(header: string | null, name: string): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const equals = part.indexOf("=");
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

function decodeCookie(cookie: string): string {
  if (cookie.length > COOKIE_LENGTH) return "";
  const isQuoted = cookie.length > 1 && cookie.startsWith('"') && cookie.endsWith('"');
  const bare = isQuoted ? cookie.slice(1, -1).replaceAll("\\054", ",") : cookie;
  try {
    return decodeURIComponent(bare);
  } catch (error) {
    if (error instanceof URIError) return "";
    throw error;
  }
}

interface Signer {
  keyId: string;
  sign(text: string): Promise<string>;
  verify(text: string, mac: string): Promise<boolean>;
}

const signers = new Map<string, Promise<Signer>>();

export function signerOf(secret: string): Promise<Signer> {
  const known = signers.get(secret) ?? createSigner(secret);
  signers.set(secret, known);
  return known;
}

async function createSigner(secret: string): Promise<Signer> {
  const bytes = encoder.encode(secret);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]);
  const fingerprint = await crypto.subtle.sign("HMAC", key, encoder.encode("carrel key id"));
  const keyId = Buffer.from(fingerprint).toString("hex").slice(0, KEY_ID_LENGTH);
  return {
    keyId,
    async sign(text) {
      return Buffer.from(await crypto.subtle.sign("HMAC", key, encoder.encode(text))).toString("base64url");
    },
    verify(text, mac) {
      return crypto.subtle.verify("HMAC", key, Buffer.from(mac, "base64url"), encoder.encode(text));
    },
  };
}

export const CALLBACK = "callback";

/**
 * Returns true if a request with a session asks for a script (Q515). It gets JSON instead: pages of other sites can read
 * scripts, and must learn nothing if a browser sends the cookie with their request.
 */
export function denyJsonp({ url, headers }: Request): boolean {
  const cookies = headers.get("Cookie");
  if (cookies === null || !url.includes("?")) return false;
  if ((cookieValue(cookies, SESSION_COOKIE) ?? "") === "") return false;
  // Q501: caches call this before the URL is known to be valid.
  return URL.parse(url)?.searchParams.has(CALLBACK) === true;
}
