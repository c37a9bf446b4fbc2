import * as z from "zod";
import type { Hits } from "../../../search/engine.ts";

/** What is answered where nothing is searched for. */
export const NOTHING_FOUND: Hits = { numFound: 0, numFoundExact: true, documents: [] };

/** Answer of a search that is not for works. */
export const hitsSchema = z.object({
  numFound: z.int(),
  start: z.int(),
  numFoundExact: z.boolean(),
  docs: z.array(z.looseObject({})),
});
