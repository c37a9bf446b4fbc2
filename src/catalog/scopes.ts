/** Scopes of tokens: what a program may do with an account. A scope never gives what the account may not do. */
export const SCOPES = ["read", "shelves", "lists", "ratings", "edit", "import", "account", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Prefix of all tokens, which secret scanners look for. */
export const TOKEN_PREFIX = "carrel_";

/** Scopes of OpenID Connect, for `/oauth2/userinfo` only: without `email` it does not say the address. */
const IDENTITY_SCOPES = ["openid", "profile", "email"] as const;

export type TokenScope = Scope | (typeof IDENTITY_SCOPES)[number];
export const TOKEN_SCOPES: readonly TokenScope[] = [...SCOPES, ...IDENTITY_SCOPES];

export function isTokenScope(text: string): text is TokenScope {
  return TOKEN_SCOPES.some((scope) => scope === text);
}

/** Returns the scopes of a text with blanks between them, each once, in their own order; undefined if one is unknown. */
export function parseScopes(text: string): TokenScope[] | undefined {
  const named = new Set(text.split(" ").filter((word) => word !== ""));
  return [...named].every(isTokenScope) ? TOKEN_SCOPES.filter((scope) => named.has(scope)) : undefined;
}

/** Ids of tokens, `t-<scopes>-<grant>-<secret>`, in which `_` separates the scopes. The token's signature protects all of it. */
const TOKEN_ID = /^t-([a-z_]+)-([\w-]{11})-[\w-]{22}$/;

/** Makes the id of a token. `grant`: 66 random bits as base64url; `secret`: 128. */
export function tokenId({
  scopes,
  grant,
  secret,
}: {
  scopes: readonly TokenScope[];
  grant: string;
  secret: string;
}): string {
  return `t-${scopes.join("_")}-${grant}-${secret}`;
}

/** Returns the parts of a token's id; undefined for the id of a session. */
export function parseTokenId(id: string): { scopes: TokenScope[]; grant: string } | undefined {
  const [, scopes, grant] = TOKEN_ID.exec(id) ?? [];
  if (scopes === undefined || grant === undefined) return undefined;
  return { scopes: scopes.split("_").filter(isTokenScope), grant };
}
