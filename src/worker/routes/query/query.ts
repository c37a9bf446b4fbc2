import * as z from "zod";
import type { Json } from "../../../catalog/record.ts";
import { catalogReader } from "../../context.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, jsonp, plain } from "../../reply.ts";
import { queryJson, queryRecords } from "../../records-query.ts";
import { callbackName } from "../../validation/parameters.ts";

/** Parameters that are about the answer, not conditions. */
const NOT_CONDITIONS = new Set(["query", "callback", "text"]);

/** `GET /query.json`: records by their members, with operators (records.md 3.1). */
export const queryOperation = operation({
  id: "query",
  summary: "Records by their members",
  tag: "records",
  query: {
    query: z
      .string()
      .optional()
      .describe("A JSON query object; the other parameters are then not conditions"),
    callback: callbackName(),
    text: z.string().optional().describe("`true`: as text/plain"),
  },
  responses: {
    200: {
      description: "Records, each with its key and the members selected",
      schema: z.array(z.looseObject({})),
      also: ["text/plain"],
    },
    400: { description: "The query cannot be understood" },
    503: { description: "The query would look at too many records" },
  },
  async handle({ query: { query, callback, text } }, context) {
    const isJson = query !== undefined;
    const asked = isJson ? queryJson(query) : plainQuery(context.url.searchParams);
    const records = await queryRecords(catalogReader(context), asked, { loose: !isJson });
    const body = JSON.stringify(records);
    const more = { cacheControl: NO_STORE };
    return text === "true" ? plain(body, more) : jsonp(body, callback, more);
  },
});

/** Every parameter is a condition, an empty one a wish to see that member. Of repeated ones the last counts (Q37). */
function plainQuery(search: URLSearchParams): Json {
  const query: Record<string, Json> = {};
  for (const [name, value] of search) {
    if (!name.startsWith("_") && !NOT_CONDITIONS.has(name)) query[name] = value === "" ? null : value;
  }
  return query;
}
