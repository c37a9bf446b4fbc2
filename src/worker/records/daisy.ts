import * as z from "zod";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import { keyOf } from "../../catalog/record.ts";
import { lookupConfig } from "../holdings/bundles.ts";
import { editionOfAddress } from "../holdings/edition-of-address.ts";
import { wantsHtml } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { NO_STORE, redirect } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { addressOf, markup } from "../ui/markup.ts";
import { nameOf, recordLink } from "../ui/names.ts";
import { link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";

/** `GET /books/OL1M/daisy`: redirects people who cannot read print to the scan's item. */
export const daisy = operation({
  id: "daisy",
  summary: "To the DAISY edition of a scanned book",
  tag: "records",
  path: {
    olid: z.string().max(200).meta({
      description: "Number of the edition, or `ia:` and the id of a scan",
      pattern: "^(?:XX\\d+M|ia:.+)$",
    }),
    slug: z.string().optional(),
  },
  responses: {
    200: { description: "For people: that there is none", contentType: "text/html" },
    303: { description: "To the scan's item in the archive" },
    404: { description: "No such edition; for programs also: it has no scan" },
  },
  async handle({ path: { olid } }, context) {
    const { edition } = await editionOfAddress(context, olid);
    const scan = ocaidOf(edition);
    if (scan !== undefined) {
      const { archiveUrl } = lookupConfig(context);
      return redirect(303, `${archiveUrl}/details/${encodeURIComponent(scan.toWellFormed())}`, {
        cacheControl: NO_STORE,
      });
    }
    if (!wantsHtml(context.request)) throw notFound();
    return page({
      title: say("daisy.none", { title: nameOf(edition) }),
      body: markup`<p>${say("daisy.why", { title: recordLink(edition) })}</p>
<p>${link(addressOf(keyOf(edition) ?? "/"), say("daisy.others"))}</p>`,
    });
  },
});
