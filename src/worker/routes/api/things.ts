import * as z from "zod";
import { catalogReader } from "../../context.ts";
import { badData } from "../../errors.ts";
import { queryJson, queryKeys, queryRecords } from "../../records-query.ts";
import { readHook } from "./hook.ts";

/** `GET /api/things`: keys of the records that meet a query, or with `details=true` what it selects of them. */
export const thingsHook = readHook({
  name: "things",
  summary: "Keys of records by their members",
  query: { query: z.string().optional().describe("A JSON query object"), details: z.string().optional() },
  async run({ query, details }, context) {
    if (query === undefined) throw badData("Missing argument: 'query'");
    const asked = queryJson(query);
    const reader = catalogReader(context);
    return details === "true" ? queryRecords(reader, asked, { loose: false }) : queryKeys(reader, asked);
  },
});
