import * as z from "zod";
import { coversAfter } from "../../../db/covers/read.ts";
import { operation } from "../../http/operation.ts";
import { NO_STORE, json } from "../../http/reply.ts";
import { integer } from "../../http/parameters.ts";

/** Covers of one answer. */
export const COVERS_LISTED = 1000;

const cover = z.object({
  id: z.int(),
  category: z.enum(["a", "b", "w"]),
  olid: z.string().nullable(),
  contentType: z.string(),
  bytes: z.int(),
});

/** `GET /system/covers.json`: all covers by number, for `npm run covers-export`. */
export const coversList = operation({
  id: "coversList",
  summary: "Covers that are there, by number",
  tag: "operation",
  query: {
    after: integer(z.int().min(0)).default(0).describe("Those with higher numbers"),
    limit: integer(z.int().min(1).max(COVERS_LISTED)).default(COVERS_LISTED),
  },
  responses: {
    200: {
      description: "Covers; `next` is the `after` of the following ones, null at the end",
      schema: z.object({ covers: z.array(cover), next: z.int().nullable() }),
    },
  },
  async handle({ query: { after, limit } }, { stores }) {
    const covers = await coversAfter(stores.catalog, after, limit);
    const next = covers.length < limit ? null : (covers.at(-1)?.id ?? null);
    return json({ covers, next }, { cacheControl: NO_STORE });
  },
});
