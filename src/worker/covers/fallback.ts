import { type CoverCategory, FIRST_OWN_COVER } from "../../db/covers/rows.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";

/** A cover that is not in the store, and the end of the address at which it is asked for: `-M.jpg`. */
export interface MissingCover {
  readonly category: CoverCategory;
  readonly id: number;
  readonly suffix: string;
}

/** Seconds for which clients may keep where a cover is. */
const ELSEWHERE_SECONDS = 600;

/**
 * Where covers are shown that loaded records name and this service does not have (`COVER_FALLBACK_BASE`); undefined without
 * such a place, and for covers that only this service can have (Q404).
 */
export function elsewhere(
  { settings: { COVER_FALLBACK_BASE: base }, url }: RequestContext,
  { category, id, suffix }: MissingCover,
): Reply | undefined {
  if (base === "" || id >= FIRST_OWN_COVER) return undefined;
  const address = `${base.replace(/\/$/, "")}/${category}/id/${id}${suffix}`;
  const fallback = url.searchParams.get("default");
  const query = fallback === null ? "" : `?${new URLSearchParams({ default: fallback })}`;
  return redirect(302, address + query, { cacheControl: `public, max-age=${ELSEWHERE_SECONDS}` });
}
