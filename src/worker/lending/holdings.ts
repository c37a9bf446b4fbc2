import { MIB } from "../../catalog/units.ts";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type HoldingLine, parseHoldingLine, termsOf } from "../../catalog/lending/holdings.ts";
import { readWorksOfScans } from "../../db/lending/holdings.ts";
import { putItems } from "../../db/lending/write-loans.ts";
import { readLentItems } from "../../db/lending/read-loans.ts";
import { bodyText } from "../http/bytes.ts";
import { english } from "../../catalog/texts.ts";
import { failure } from "../http/failure.ts";
import { operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { indexAnew } from "../indexing/refresh.ts";

/** Largest body of a request in bytes, and maximum number of lines: each may need a call to a desk. */
const HOLDINGS_BODY_BYTES = MIB;
const HOLDINGS_LINES_MAX = 500;

export const holdings = operation({
  id: "holdings",
  summary: "Update the access and lending data of scans",
  tag: "operation",
  body: {
    contentType: "application/x-ndjson",
    description:
      "JSON objects, one per line: ocaid, collections, access_restricted, copies, browse, mediatype, imagecount",
  },
  responses: {
    200: {
      description: "Number of stored lines, and rejected lines",
      schema: z.object({
        stored: z.int(),
        rejected: z.array(z.object({ line: z.int().describe("Line number, from 1"), reason: z.string() })),
      }),
    },
  },
  async handle(_input, context) {
    const lines = (await bodyText(context.request, HOLDINGS_BODY_BYTES)).split("\n");
    if (lines.length > HOLDINGS_LINES_MAX + 1) {
      throw failure("bad_data.too_many_lines", { most: HOLDINGS_LINES_MAX });
    }
    const items = new Map<string, HoldingLine>();
    const rejected: { line: number; reason: string }[] = [];
    for (const [index, text] of lines.entries()) {
      if (text.trim() === "") continue;
      const parsed = parseHoldingLine(text);
      if ("reason" in parsed) rejected.push({ line: index + 1, reason: english(parsed.reason) });
      // If an item occurs twice, the last line counts.
      else items.set(parsed.ocaid, parsed);
    }
    if (items.size > 0) {
      // Idempotent: an interrupted request can be repeated.
      const { stores, now } = context;
      const ocaids = [...items.keys()];
      await putItems(stores.catalog, [...items.values()], formatDatetime(now));
      // Works show the availability of their scans.
      await indexAnew(context, await readWorksOfScans(stores.catalog, ocaids));
      // There may be more copies for the patrons who wait.
      const lent = await readLentItems(stores.patrons, ocaids);
      const waiting = new Set(lent.filter((item) => item.waiting > 0).map(({ ocaid }) => ocaid));
      const awaited = [...items.values()].filter(({ ocaid }) => waiting.has(ocaid));
      const calls = awaited.map((item) => {
        const { ocaid } = item;
        const { copies, browse } = termsOf(item);
        return stores.loanDesk.getByName(ocaid).status({ ocaid, copies, browse, now }, null);
      });
      await Promise.all(calls);
    }
    return json({ stored: items.size, rejected }, { cacheControl: NO_STORE });
  },
});
