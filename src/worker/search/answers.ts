import * as z from "zod";
import type { Hits, Sort } from "../../search/engine.ts";
import type { RequestContext } from "../http/operation.ts";
import { NO_STORE } from "../http/reply.ts";
import { isAnonymous, isPrintDisabled } from "./engine.ts";

const SEARCH_SECONDS = 60;

/** Returns the caching of a search: a minute, or none if the response depends on the user, on availability or on chance. */
export function searchCacheControl(
  context: RequestContext,
  { sort, availability = false }: { sort: readonly Sort[]; availability?: boolean },
): string {
  const isPersonal = !isAnonymous(context) || isPrintDisabled(context);
  const isVolatile = availability || sort.some(({ field }) => field === "random");
  return isPersonal || isVolatile ? NO_STORE : `public, max-age=${SEARCH_SECONDS}`;
}

export const NOTHING_FOUND: Hits = { numFound: 0, numFoundExact: true, documents: [] };

export const hitsSchema = z
  .object({
    numFound: z.int(),
    start: z.int(),
    numFoundExact: z.boolean(),
    docs: z.array(z.looseObject({})),
  })
  .meta({ id: "Hits" });
