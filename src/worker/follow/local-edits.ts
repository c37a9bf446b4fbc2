import * as z from "zod";
import { readLocalEdits, readRecordOrigins } from "../../db/history/local-edits.ts";
import { operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { keysOfParameter } from "../records/read-api.ts";

const EDITS_LIMIT = { default: 100, max: 1000 };

/**
 * `GET /system/local-edits.json`: works, editions and authors whose latest revision was not loaded, for the operator
 * who sends corrections to the source. With `keys`, these records in order of key, edited or not.
 */
export const localEdits = operation({
  id: "localEdits",
  summary: "List records whose latest revision is an edit",
  tag: "operation",
  query: {
    after: z
      .string()
      .regex(/^\d{1,15}(?:-\d{1,15})?$/)
      .default("0")
      .describe("`next` of the page before"),
    limit: integer(z.int().gte(1).lte(EDITS_LIMIT.max)).default(EDITS_LIMIT.default),
    keys: z.string().optional().describe("JSON array of keys: only these records, edited or not"),
  },
  responses: {
    200: {
      description: "Records in the order of their latest changes",
      schema: z.object({
        edits: z.array(
          z.object({
            key: z.string(),
            type: z.string(),
            revision: z.int(),
            change: z.int().describe("Change that made the latest revision"),
            base: z.int().nullable().describe("Newest revision that was loaded; null if it was made here"),
          }),
        ),
        next: z.string().nullable().describe("`after` of the next page"),
      }),
    },
    400: { description: "`keys` is not an array of at most 1,000 keys" },
  },
  async handle({ query: { after, limit, keys } }, { stores: { catalog } }) {
    const [change = 0, id = 0] = after.split("-").map(Number);
    const session = catalog.withSession("first-primary");
    const { edits, next } =
      keys === undefined
        ? await readLocalEdits(session, { change, id }, limit)
        : { edits: await readRecordOrigins(session, keysOfParameter(keys)), next: undefined };
    const place = next === undefined ? null : `${next.change}-${next.id}`;
    return json({ edits, next: place }, { cacheControl: NO_STORE });
  },
});
