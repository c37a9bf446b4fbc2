import * as z from "zod";
import { findEditionKey } from "../../../db/identifiers/find-edition-key.ts";
import type { Wanted } from "../../../db/identifiers/find-editions.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { CarrelError, notFound } from "../../errors.ts";
import { type BulkPlace, bulkPlace } from "../../import/import-bulk.ts";
import { type ShownRecord, recordAtPlace, recordOfItemFile } from "../../import/shown-record.ts";
import { ItemsFailure } from "../../items/item.ts";
import { itemSource } from "../../items/item-source.ts";
import { logLine } from "../../log.ts";
import { operation } from "../../operation.ts";
import { addressOf } from "../../pages/address.ts";
import { marcPage, sourcePage } from "../../pages/import/marc-page.ts";
import { type Reply, plain, redirect } from "../../reply.ts";

/** Other sites that describe books, and where they show one (import.md 21). */
const SITES: Readonly<Record<string, (id: string) => string>> = {
  amazon: (asin) => `https://www.amazon.com/dp/${asin}`,
  bwb: (isbn) => `https://www.betterworldbooks.com/product/detail/-${isbn}`,
  google_books: (isbn) => `https://books.google.com/books?vid=ISBN${isbn}`,
};
/** How long a link says a record to be of which it knows the place alone. */
const GUESS = 5;
/** Anybody may look: nobody keeps the archive busy for long. */
const IN_HURRY = { inHurry: true };

/** `GET /show-marc/<rest>`: the older address. */
export const showMarc = operation({
  id: "showMarc",
  summary: "The older address of MARC records",
  tag: "import",
  path: { rest: z.string() },
  responses: { 303: { description: "The record" } },
  handle: ({ path: { rest } }, { url }) => redirect(303, recordAddress(rest) + url.search),
});

/** `GET /show-records/<source>`: the MARC record that an edition was made of (import.md 21). */
export const showRecords = operation({
  id: "showRecords",
  summary: "Page: the MARC record that an edition was made of",
  tag: "import",
  path: {
    rest: z.string().max(1000).describe("ia:<item>, <item>/<file>:<offset>:<length>, amazon:<ASIN>, …"),
  },
  query: { format: z.string().optional().describe("`raw`: as application/marc") },
  responses: {
    200: { description: "The page, or the record", contentType: "text/html" },
    303: { description: "Where the record is" },
    404: { description: "No such record, or there is no archive" },
    502: { description: "The archive does not answer" },
  },
  async handle({ path: { rest }, query: { format } }, context) {
    const shown: Shown = { context, isRaw: format === "raw" };
    try {
      return await showSource(rest, shown);
    } catch (error) {
      if (!(error instanceof ItemsFailure)) throw error;
      logLine("error", "items", { problem: error.message });
      if (!error.isConfigured) throw notFound();
      throw new CarrelError(502, "bad_gateway", { message: "The archive does not answer at present." });
    }
  },
});

/** Where a record is shown; its name stays readable. */
function recordAddress(name: string): string {
  return addressOf(`/show-records/${name}`).replaceAll("%3A", ":");
}

interface Shown {
  readonly context: RequestContext;
  readonly isRaw: boolean;
}

function showSource(rest: string, shown: Shown): Promise<Reply> | Reply {
  const [, prefix = "", id = ""] = /^([a-z_]+):([^/]+)$/.exec(rest) ?? [];
  if (prefix === "ia") return showItem(id, shown);
  const site = Object.hasOwn(SITES, prefix) ? SITES[prefix] : undefined;
  if (site !== undefined) return sourcePage(rest, site(encodeURIComponent(id)));
  const [, own] = /^([^/]+)\/\1_meta\.mrc(?::|$)/.exec(rest) ?? [];
  if (own !== undefined) return redirect(303, recordAddress(`ia:${own}`));
  const place = bulkPlace(rest);
  if (place === undefined) throw notFound();
  return showPlace(place, shown);
}

async function showItem(id: string, shown: Shown): Promise<Reply> {
  const { context } = shown;
  const source = itemSource(context, IN_HURRY);
  const record = await recordOfItemFile(source, id);
  if (record.kind === "missing") return toItem(id, context);
  // Q366: a text, and no failure of HTTP.
  if (record.kind !== "record") return plain(`ERROR reading MARC for ${id}`);
  return recordReply(record, { ...shown, name: `ia:${id}`, wanted: [{ kind: "ocaid", value: id }] });
}

/** The item may be there without a record. */
async function toItem(id: string, context: RequestContext): Promise<Reply> {
  if ((await itemSource(context, IN_HURRY).metadata(id)) === undefined) throw notFound();
  const archive = context.settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "");
  return redirect(303, `${archive}/details/${encodeURIComponent(id)}`);
}

async function showPlace(place: BulkPlace, shown: Shown): Promise<Reply> {
  const record = await recordAtPlace(itemSource(shown.context, IN_HURRY), place);
  const { item, file, offset, length } = place;
  const here = `${item}/${file}:${offset}`;
  switch (record.kind) {
    case "missing":
      throw notFound();
    case "unreadable":
      return plain(`ERROR reading MARC for ${here}:${length}`);
    case "moved":
      return redirect(303, recordAddress(`${here}:${record.length}`) + shown.context.url.search);
    case "record": {
      const next = recordAddress(`${item}/${file}:${offset + length}:${GUESS}`);
      return recordReply(record, { ...shown, name: `marc:${here}:${length}`, wanted: [], next });
    }
  }
}

interface Named extends Shown {
  /** What the record is called in the sources of editions. */
  readonly name: string;
  /** What else editions that were made of it are found by. */
  readonly wanted: readonly Wanted[];
  readonly next?: string;
}

async function recordReply(
  { bytes, marc }: ShownRecord & { readonly kind: "record" },
  { context, isRaw, name, wanted, next }: Named,
): Promise<Reply> {
  if (isRaw) {
    return { status: 200, body: new Blob([bytes]).stream(), contentType: "application/marc" };
  }
  const edition = await findEditionKey(catalogReader(context), [{ kind: "source", value: name }, ...wanted]);
  const raw = `${context.url.pathname}?format=raw`;
  return marcPage({ name, marc, edition, raw, ...(next === undefined ? {} : { next }) });
}
