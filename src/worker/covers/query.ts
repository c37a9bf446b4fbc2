import * as z from "zod";
import { type ListedCover, readCoversAfter, listCovers } from "../../db/covers/read-covers.ts";
import { operation } from "../http/operation.ts";
import { callbackName, integer, lenientInteger } from "../http/parameters.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { forCategories } from "./categories.ts";
import type { TextKey } from "../../catalog/texts.ts";

export const COVER_QUERY_LIMIT = { usual: 10, max: 100 };
const COVER_QUERY_OFFSET_MAX = 10_000;
/** Maximum number of records in a query, and of characters naming them. */
export const COVER_QUERY_OLIDS = { count: 1000, length: 20_000 };

const { usual, max } = COVER_QUERY_LIMIT;
const query = {
  olid: z
    .string()
    .max(COVER_QUERY_OLIDS.length)
    .refine((text) => text.split(",").length <= COVER_QUERY_OLIDS.count, {
      error: "validation.records" satisfies TextKey,
      params: { values: { most: COVER_QUERY_OLIDS.count } },
    })
    .optional()
    .describe("Comma-separated record IDs, for example OL1M; default all records of the category"),
  offset: lenientInteger(0, { min: 0, max: COVER_QUERY_OFFSET_MAX }),
  limit: lenientInteger(usual, { min: 0, max }),
  details: z.string().optional().describe("`true`: return objects instead of numbers"),
  cmd: z.string().optional().describe("`ids`: return an object that maps record IDs to cover numbers"),
  callback: callbackName(),
};
const answer = z.union([
  z.array(z.int()),
  z.array(
    z.object({
      id: z.int(),
      olid: z.string().nullable(),
      created: z.string(),
      last_modified: z.string(),
      source_url: z.string(),
      width: z.int(),
      height: z.int(),
    }),
  ),
  z.record(z.string(), z.int()),
]);

export const queryCovers = forCategories((category, noun) =>
  operation({
    id: `query${noun}Covers`,
    summary: `List the cover numbers of ${noun.toLowerCase()}s, newest first`,
    tag: "covers",
    query,
    responses: {
      200: {
        description: "Cover numbers, or the form selected by `details` or `cmd`",
        schema: answer,
        contentType: "text/javascript",
      },
    },
    handle: async ({ query: params }, { stores }) => {
      const { olid, offset, limit } = params;
      const olids = olid === undefined || olid === "" ? undefined : olid.split(",");
      return reply(await listCovers(stores.catalog, category, { olids, offset, limit }), params);
    },
  }),
);

/** Answers for an unknown category. Q411: on the cover store's own listener only. */
export const queryNothing = operation({
  id: "queryNoCovers",
  summary: "List the covers of an unknown category",
  tag: "covers",
  path: { category: z.string() },
  query,
  responses: { 200: { description: "Empty array", schema: answer, contentType: "text/javascript" } },
  handle: ({ query: params }) => reply([], params),
});

type Form = { readonly [name in "details" | "cmd" | "callback"]?: string | undefined };

function reply(covers: readonly ListedCover[], { callback, details, cmd }: Form): Reply {
  let body: z.output<typeof answer> = covers.map(({ id }) => id);
  // Later entries replace earlier ones, so the oldest cover of a record remains.
  if (cmd === "ids") body = Object.fromEntries(covers.map(({ olid, id }) => [String(olid), id]));
  else if (details?.toLowerCase() === "true") {
    body = covers.map(({ id, olid, created, updated, sourceUrl, width, height }) => ({
      id,
      olid,
      created,
      last_modified: updated,
      source_url: sourceUrl ?? "",
      width,
      height,
    }));
  }
  const text = JSON.stringify(body);
  return {
    status: 200,
    body: callback === undefined ? text : `${callback}(${text});`,
    contentType: "text/javascript; charset=utf-8",
    cacheControl: NO_STORE,
  };
}

const COVERS_LISTED = 1000;

/** Lists all covers by number, for `npm run covers-export`. */
export const coversList = operation({
  id: "coversList",
  summary: "List existing covers by number",
  tag: "operation",
  query: {
    after: integer(z.int().min(0)).default(0).describe("Return only covers with higher numbers"),
    limit: integer(z.int().min(1).max(COVERS_LISTED)).default(COVERS_LISTED),
  },
  responses: {
    200: {
      description: "Covers; `next` is the `after` of the next page, null on the last one",
      schema: z.object({
        covers: z.array(
          z.object({
            id: z.int(),
            category: z.enum(["a", "b", "w"]),
            olid: z.string().nullable(),
            contentType: z.string(),
            bytes: z.int(),
          }),
        ),
        next: z.int().nullable(),
      }),
    },
  },
  async handle({ query: { after, limit } }, { stores }) {
    const covers = await readCoversAfter(stores.catalog, after, limit);
    const next = covers.length < limit ? null : (covers.at(-1)?.id ?? null);
    return json({ covers, next }, { cacheControl: NO_STORE });
  },
});
