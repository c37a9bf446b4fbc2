import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { touchCover } from "../../../db/covers/upkeep.ts";
import { forCategories } from "../../covers/store/categories.ts";
import { coverNumber } from "../../covers/store/cover-number.ts";
import { backAddress, leadBack, referer } from "../../covers/store/lead-back.ts";
import { operation } from "../../http/operation.ts";
import { NO_STORE, json, plain } from "../../http/reply.ts";

/** `POST /b/touch`: makes a cover the newest of its record (lookup.md 6.5). */
export const touch = forCategories((_category, noun) =>
  operation({
    id: `touch${noun}Cover`,
    summary: "Makes a cover the newest of its record",
    tag: "covers",
    form: {
      id: z.string().default("").describe("Number of the cover"),
      redirect_url: z.string().optional().describe("Where to go on"),
    },
    responses: {
      200: {
        description: "Done, where there is no page to go on to; or text: there is no such cover",
        schema: z.object({ ok: z.literal("true") }),
        also: ["text/plain"],
      },
      303: { description: "Done: to `redirect_url`, else to the page before" },
    },
    async handle({ form: { id, redirect_url: to } }, context) {
      const number = coverNumber(id);
      const { stores, sources } = context;
      const isDone =
        number !== undefined && (await touchCover(stores.catalog, number, datetimeText(sources.now())));
      if (!isDone) return plain(`no such id: ${id}`, { cacheControl: NO_STORE });
      // Q412: without a page to go on to the answer says that it is done.
      const target = backAddress(to) ?? referer(context);
      return target === undefined ? json({ ok: "true" }, { cacheControl: NO_STORE }) : leadBack(target);
    },
  }),
);
