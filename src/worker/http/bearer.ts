import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type TokenScope, TOKEN_PREFIX, parseTokenId, tokenId } from "../../catalog/scopes.ts";
import { openToken, sealToken } from "./cookie.ts";

/** Kinds of tokens, whose prefix secret scanners look for: personal, access, refresh, authorization code. */
export type TokenKind = "pat" | "oat" | "ort" | "oac";

const TOKEN = /^carrel_(pat|oat|ort|oac)_([\w-]{40,600})$/;
const CHECKSUM_LENGTH = 6;

/** Opened token: whose it is, its id in the patron's object, and its scopes. */
export interface OpenedToken {
  readonly kind: TokenKind;
  readonly username: string;
  readonly id: string;
  readonly scopes: readonly TokenScope[];
  readonly grant: string;
  /** Naive UTC, to the second. */
  readonly issued: string;
}

interface TokenSource {
  readonly username: string;
  readonly scopes: readonly TokenScope[];
  readonly grant: string;
  /** 128 random bits, as base64url. */
  readonly secret: string;
  readonly now: number;
}

/**
 * Makes the text of a token: its prefix, the signed text of a session cookie whose session id names the scopes, and a
 * checksum of all that, by which scanners tell tokens from other texts. Returns also the id, of which the patron's object
 * stores the hash, and the text of the cookie.
 */
export async function sealBearer(
  kind: TokenKind,
  { username, now, ...parts }: TokenSource,
  key: string,
): Promise<{ text: string; id: string; sealed: string }> {
  const id = tokenId(parts);
  const sealed = await sealToken({ username, time: formatDatetime(now).slice(0, 19), id }, key);
  const text = `${TOKEN_PREFIX}${kind}_${Buffer.from(sealed).toString("base64url")}`;
  return { text: text + checksum(text), id, sealed };
}

/**
 * Reads a token. Returns undefined if it is malformed or not signed by one of the secrets; whether it has ended, the
 * patron's object knows. Signatures are compared in constant time.
 */
export async function openBearer(text: string, secrets: readonly string[]): Promise<OpenedToken | undefined> {
  const [, kind, body = ""] = TOKEN.exec(text) ?? [];
  if (kind === undefined || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) {
    return undefined;
  }
  const sealed = Buffer.from(body.slice(0, -CHECKSUM_LENGTH), "base64url").toString();
  const token = await openToken(sealed, secrets);
  const parts = token && parseTokenId(token.id);
  if (token === undefined || parts === undefined) return undefined;
  const { username, id, time: issued } = token;
  // The expression permits these kinds only.
  return { kind: kind as TokenKind, username, id, issued, ...parts };
}

function checksum(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, CHECKSUM_LENGTH);
}

/** Start of a token that the service has made, but for the secrets of apps. */
const OWN_TOKEN = /^carrel_(?!ocs_)/;
const BEARER = /^Bearer +(\S+) *$/i;
const BASIC = /^Basic +([\w+/=-]+) *$/i;

/**
 * Returns the token of a program from `Authorization`: a bearer, or the password of clients that only know Basic.
 * Undefined for other credentials (Q850), such as those of operators and library systems.
 */
export function bearerOf(headers: Headers): string | undefined {
  const header = headers.get("Authorization");
  if (header === null) return undefined;
  const bearer = BEARER.exec(header)?.[1];
  if (bearer !== undefined) return OWN_TOKEN.test(bearer) ? bearer : undefined;
  const { password = "" } = parseBasic(header) ?? {};
  return OWN_TOKEN.test(password) ? password : undefined;
}

/** Returns the credentials of a Basic `Authorization` header; undefined if it is malformed or of another scheme. */
export function parseBasic(header: string): { username: string; password: string } | undefined {
  const encoded = BASIC.exec(header)?.[1];
  const text = encoded === undefined ? undefined : decodeBase64(encoded);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decodeBase64(encoded: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(encoded));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns true if a browser may have sent the token without a page that knows it. */
export function isBasic(headers: Headers): boolean {
  return /^Basic /i.test(headers.get("Authorization") ?? "");
}
