import * as z from "zod";
import { forCategories } from "../../covers/store/categories.ts";
import { coverNumber } from "../../covers/store/cover-number.ts";
import { backAddress, leadBack } from "../../covers/store/lead-back.ts";
import { removeCover } from "../../covers/store/remove-cover.ts";
import { operation } from "../../http/operation.ts";
import { NO_STORE, plain } from "../../http/reply.ts";

/** `POST /b/delete`: deletes a cover (lookup.md 6.5). Records that name it show none instead. */
export const deleteCover = forCategories((_category, noun) =>
  operation({
    id: `delete${noun}Cover`,
    summary: "Deletes a cover: nobody sees its image any more",
    tag: "covers",
    form: {
      id: z.string().default("").describe("Number of the cover"),
      redirect_url: z.string().optional().describe("Where to go on"),
    },
    responses: {
      200: { description: "Deleted, or there is no such cover", contentType: "text/plain" },
      303: { description: "Deleted: to `redirect_url`" },
    },
    async handle({ form: { id, redirect_url: to } }, context) {
      const number = coverNumber(id);
      if (number === undefined || !(await removeCover(context, number))) {
        return plain(`no such id: ${id}`, { cacheControl: NO_STORE });
      }
      const target = backAddress(to);
      if (target !== undefined) return leadBack(target);
      return plain("cover has been deleted successfully.", { cacheControl: NO_STORE });
    },
  }),
);
