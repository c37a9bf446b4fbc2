import * as z from "zod";
import { type HoldingLine, parseHoldingLine } from "../../../catalog/lending/holding-line.ts";
import { bodyText } from "../../body.ts";
import { badData } from "../../errors.ts";
import { storeHoldings } from "../../lending/store-holdings.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";

/** Largest body of a request, in bytes, and most lines in it: each may have a desk that is to be told. */
export const HOLDINGS_BODY_BYTES = 1024 * 1024;
export const HOLDINGS_LINES_MAX = 500;

/** `POST /system/holdings`: which scans there are, and on which terms they are lent (lookup.md 18.3). Idempotent. */
export const holdings = operation({
  id: "holdings",
  summary: "Store which scans can be read and lent",
  tag: "operation",
  body: {
    contentType: "application/x-ndjson",
    description:
      "JSON objects, one a line: ocaid, collections, access_restricted, copies, browse, mediatype, imagecount",
  },
  responses: {
    200: {
      description: "What became of the lines",
      schema: z.object({
        stored: z.int(),
        rejected: z.array(z.object({ line: z.int().describe("From 1"), reason: z.string() })),
      }),
    },
  },
  async handle(_input, context) {
    const lines = (await bodyText(context.request, HOLDINGS_BODY_BYTES)).split("\n");
    if (lines.length > HOLDINGS_LINES_MAX + 1) {
      throw badData(`more than ${HOLDINGS_LINES_MAX} lines in one request`);
    }
    const items = new Map<string, HoldingLine>();
    const rejected: { line: number; reason: string }[] = [];
    for (const [index, text] of lines.entries()) {
      if (text.trim() === "") continue;
      const parsed = parseHoldingLine(text);
      if ("reason" in parsed) rejected.push({ line: index + 1, reason: parsed.reason });
      // Of an item that is named twice the last line holds.
      else items.set(parsed.ocaid, parsed);
    }
    if (items.size > 0) await storeHoldings(context, [...items.values()]);
    return json({ stored: items.size, rejected }, { cacheControl: NO_STORE });
  },
});
