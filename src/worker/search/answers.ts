import * as z from "zod";
import type { Hits, Sort } from "../../search/engine.ts";
import type { RequestContext } from "../http/operation.ts";
import { NO_STORE } from "../http/reply.ts";
import { isAnonymous, isPrintDisabled } from "./engine.ts";

/** How long clients may keep an answer of a search, in seconds. */
const SEARCH_SECONDS = 60;

/** How long an answer may be kept: a minute, unless it depends on who asks, on availability or on chance. */
export function searchCacheControl(
  context: RequestContext,
  { sort, availability = false }: { readonly sort: readonly Sort[]; readonly availability?: boolean },
): string {
  const isPersonal = !isAnonymous(context) || isPrintDisabled(context);
  const isVolatile = availability || sort.some(({ field }) => field === "random");
  return isPersonal || isVolatile ? NO_STORE : `public, max-age=${SEARCH_SECONDS}`;
}

/** What is answered where nothing is searched for. */
export const NOTHING_FOUND: Hits = { numFound: 0, numFoundExact: true, documents: [] };

/** Answer of a search that is not for works. */
export const hitsSchema = z
  .object({
    numFound: z.int(),
    start: z.int(),
    numFoundExact: z.boolean(),
    docs: z.array(z.looseObject({})),
  })
  .meta({ id: "Hits" });
