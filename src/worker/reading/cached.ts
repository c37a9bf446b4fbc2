import { type Reply, PRIVATE, json } from "../http/reply.ts";

/** How long clients may keep counts over all patrons, in seconds (patrons.md 0.5). */
export const COUNTS_SECONDS = 60;

/** An answer that is the same for everybody, unless it shows what the patron who asks has just done. */
export function countsJson(value: unknown, { isOwn }: { readonly isOwn: boolean }): Reply {
  const cacheControl = isOwn ? PRIVATE : `public, max-age=${COUNTS_SECONDS}`;
  return json(value, { cacheControl, headers: { Vary: "Cookie" } });
}
