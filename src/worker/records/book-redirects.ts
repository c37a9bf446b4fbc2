import * as z from "zod";
import { Buffer } from "node:buffer";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import { keyOf } from "../../catalog/record.ts";
import { editionsAt } from "../../db/records/members.ts";
import { editionOfAddress } from "../lookup/editions/bundles.ts";
import { type RequestContext, lookupConfig, operation, catalogReader } from "../http/operation.ts";
import { lendingStates } from "../lending/service/lending-states.ts";
import { notFound } from "../http/errors.ts";
import { NO_STORE, redirect } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { messagePage } from "../ui/action-answer.ts";
import { addressOf } from "../ui/markup.ts";
import { nameOf, recordLink } from "../ui/names.ts";
import { t } from "../ui/words.ts";

export const daisy = resource({
  id: "daisy",
  summary: "Redirect to the DAISY edition of a scanned book",
  tag: "records",
  path: {
    olid: z.string().max(200).meta({
      description: "Edition ID, or `ia:` and the ID of a scan",
      pattern: "^(?:XX\\d+M|ia:.+)$",
    }),
    slug: z.string().optional(),
  },
  responses: {
    200: { description: "HTML page for an edition without a scan (browsers)", contentType: "text/html" },
    303: { description: "Redirect to the archive's item" },
    404: { description: "Edition not found; for API clients also if it has no scan" },
  },
  async read({ path: { olid } }, context) {
    const { edition } = await editionOfAddress(context, olid);
    const scan = ocaidOf(edition);
    if (scan === undefined) return edition;
    const { archiveUrl } = lookupConfig(context);
    return redirect(303, `${archiveUrl}/details/${encodeURIComponent(scan.toWellFormed())}`, {
      cacheControl: NO_STORE,
    });
  },
  asJson() {
    throw notFound();
  },
  page: (edition) =>
    messagePage({
      title: t("daisy.none", { title: nameOf(edition) }),
      text: t("daisy.why", { title: recordLink(edition) }),
      link: { href: addressOf(keyOf(edition) ?? "/"), text: t("daisy.others") },
    }),
});

/** Random editions to read, of which the first readable one is chosen. */
const RANDOM_EDITIONS = 32;
const POSITION_BYTES = 4;

/** Redirects to a random edition, one that can be read or borrowed if possible (Q433). */
export const random = operation({
  id: "random",
  summary: "Redirect to a random book, preferably one that can be read or borrowed",
  tag: "records",
  responses: { 303: { description: "Redirect to an edition" }, 404: { description: "Empty catalog" } },
  async handle(_input, context) {
    const editions = await editionsAt(catalogReader(context), randomPositions(context));
    const scans = editions.flatMap(({ ocaid }) => ocaid ?? []);
    const states = await lendingStates(context, scans);
    const readable = editions.find(({ ocaid }) => {
      const status = states?.get(ocaid ?? "");
      return status !== undefined && (status.isReadable || status.isLendable);
    });
    const edition = readable ?? editions.at(0);
    if (edition === undefined) throw notFound();
    return redirect(303, edition.key, { cacheControl: NO_STORE });
  },
});

function randomPositions({ sources }: RequestContext): number[] {
  const positions: number[] = [];
  while (positions.length < RANDOM_EDITIONS) {
    const bytes = Buffer.from(sources.newSecret(), "base64url");
    for (let at = 0; at + POSITION_BYTES <= bytes.length; at += POSITION_BYTES) {
      positions.push(bytes.readUInt32BE(at) / 2 ** 32);
    }
  }
  return positions.slice(0, RANDOM_EDITIONS);
}
