import * as z from "zod";
import type { Identifier } from "../../catalog/identifiers/edition-identifiers.ts";
import { findEditionKeys } from "../../db/records/identifiers.ts";
import { wantsJson } from "../http/accept.ts";
import { CarrelError, notFound } from "../http/errors.ts";
import { logLine } from "../http/log.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, json, plain, redirect } from "../http/reply.ts";
import { itemSource } from "../platform/item-source.ts";
import { ItemsFailure } from "../platform/item.ts";
import { addressOf } from "../ui/markup.ts";
import { type BulkPlace, bulkPlace } from "./bulk-marc.ts";
import { marcPage, sourcePage } from "./marc-page.ts";
import { type ShownRecord, marcJson, recordAtPlace, recordOfItemFile } from "./shown-record.ts";

/** External sites with pages about books, and the address of a book there. */
const SITES: Readonly<Record<string, (id: string) => string>> = {
  amazon: (asin) => `https://www.amazon.com/dp/${asin}`,
  bwb: (isbn) => `https://www.betterworldbooks.com/product/detail/-${isbn}`,
  google_books: (isbn) => `https://books.google.com/books?vid=ISBN${isbn}`,
};
/** Length given in links to a record of which only the offset is known. */
const GUESS = 5;
/** Maximum number of editions listed with a record. */
const SHOWN_EDITIONS_MAX = 100;
const SUFFIX = ".json";
/** The route is public, so archive requests are kept short. */
const IN_HURRY = { inHurry: true };

/** `GET /show-marc/<rest>`: redirects from the older address. */
export const showMarc = operation({
  id: "showMarc",
  summary: "The older address of MARC records",
  tag: "import",
  path: { rest: z.string() },
  responses: { 303: { description: "The record" } },
  handle: ({ path: { rest } }, { url }) => redirect(303, recordAddress(rest) + url.search),
});

const shownJson = z.object({
  source: z.string(),
  source_record: z.string().describe("The same"),
  editions: z.array(z.string()).describe("Keys"),
  marc: z
    .object({ leader: z.string(), fields: z.array(z.record(z.string(), z.unknown())) })
    .nullable()
    .describe("MARC-in-JSON; null when there is none, or none that can be read"),
});

/** `GET /show-records/<source>[.json]`: shows the MARC record that an edition was made from. */
export const showRecords = operation({
  id: "showRecords",
  summary: "The MARC record that an edition was made of: a page, JSON with .json, or the record itself",
  tag: "import",
  path: {
    rest: z.string().max(1000).describe("ia:<item>, <item>/<file>:<offset>:<length>, amazon:<ASIN>, …"),
  },
  query: { format: z.string().optional().describe("`raw`: as application/marc") },
  responses: {
    200: {
      description: "The page, JSON, the record itself, or a text where it is none",
      schema: shownJson,
      also: ["text/html", "application/marc", "text/plain"],
    },
    303: { description: "Where the record is" },
    404: { description: "No such record, or there is no archive" },
    502: { description: "The archive does not answer" },
  },
  async handle({ path: { rest }, query: { format } }, context) {
    // Q455: the address without a suffix has always returned pages, to programs as well.
    const isJson = rest.endsWith(SUFFIX) || wantsJson(context.request);
    const shown: Shown = { context, isRaw: format === "raw", isJson };
    try {
      return await showSource(rest.endsWith(SUFFIX) ? rest.slice(0, -SUFFIX.length) : rest, shown);
    } catch (error) {
      if (!(error instanceof ItemsFailure)) throw error;
      logLine("error", "items", { problem: error.message });
      if (!error.isConfigured) throw notFound();
      throw new CarrelError(502, "bad_gateway", { message: "The archive does not answer at present." });
    }
  },
});

/** Returns the address of a record and keeps its name readable. */
function recordAddress(name: string): string {
  return addressOf(`/show-records/${name}`).replaceAll("%3A", ":");
}

interface Shown {
  readonly context: RequestContext;
  readonly isRaw: boolean;
  readonly isJson: boolean;
}

/** Redirects to the canonical address of the requested record. */
function elsewhere(name: string, { context: { url } }: Shown): Reply {
  const suffix = url.pathname.endsWith(SUFFIX) ? SUFFIX : "";
  return redirect(303, recordAddress(name) + suffix + url.search);
}

async function showSource(rest: string, shown: Shown): Promise<Reply> {
  const [, prefix = "", id = ""] = /^([a-z_]+):([^/]+)$/.exec(rest) ?? [];
  if (prefix === "ia") return showItem(id, shown);
  const site = Object.hasOwn(SITES, prefix) ? SITES[prefix] : undefined;
  if (site !== undefined) {
    // Shows the editions made from the source, and a link to the site.
    const editions = await editionsOf({ ...shown, name: rest, wanted: [] });
    if (shown.isJson) return jsonReply(rest, editions, null);
    return sourcePage(rest, site(encodeURIComponent(id)), editions);
  }
  const [, own] = /^([^/]+)\/\1_meta\.mrc(?::|$)/.exec(rest) ?? [];
  if (own !== undefined) return elsewhere(`ia:${own}`, shown);
  const place = bulkPlace(rest);
  if (place === undefined) throw notFound();
  return showPlace(place, shown);
}

async function showItem(id: string, shown: Shown): Promise<Reply> {
  const source = itemSource(shown.context, IN_HURRY);
  const record = await recordOfItemFile(source, id);
  const named: Named = { ...shown, name: `ia:${id}`, wanted: [{ kind: "ocaid", value: id }] };
  if (record.kind === "record") return recordReply(record, named);
  // Q366: an unreadable record is a text response, not an HTTP error.
  if (record.kind !== "missing") return unreadable(id, named);
  // The item may exist without a record.
  if ((await source.metadata(id)) === undefined) throw notFound();
  if (shown.isJson) return jsonReply(named.name, await editionsOf(named), null);
  const archive = shown.context.settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "");
  return redirect(303, `${archive}/details/${encodeURIComponent(id)}`);
}

async function showPlace(place: BulkPlace, shown: Shown): Promise<Reply> {
  const record = await recordAtPlace(itemSource(shown.context, IN_HURRY), place);
  const { item, file, offset, length } = place;
  const here = `${item}/${file}:${offset}`;
  const named: Named = { ...shown, name: `marc:${here}:${length}`, wanted: [] };
  switch (record.kind) {
    case "missing":
      throw notFound();
    case "unreadable":
      return unreadable(`${here}:${length}`, named);
    case "moved":
      return elsewhere(`${here}:${record.length}`, shown);
    case "record": {
      const next = recordAddress(`${item}/${file}:${offset + length}:${GUESS}`);
      return recordReply(record, { ...named, next });
    }
  }
}

interface Named extends Shown {
  /** Name of the record in `source_records` of editions. */
  readonly name: string;
  /** Further identifiers of editions made from the record. */
  readonly wanted: readonly Identifier[];
  readonly next?: string;
}

async function unreadable(what: string, named: Named): Promise<Reply> {
  if (!named.isJson) return plain(`ERROR reading MARC for ${what}`);
  return jsonReply(named.name, await editionsOf(named), null);
}

async function recordReply(
  { bytes, marc }: ShownRecord & { readonly kind: "record" },
  named: Named,
): Promise<Reply> {
  const { context, isRaw, isJson, name, next } = named;
  if (isRaw) {
    return { status: 200, body: new Blob([bytes]).stream(), contentType: "application/marc" };
  }
  const editions = await editionsOf(named);
  if (isJson) return jsonReply(name, editions, marc === undefined ? null : marcJson(marc));
  const address = `${context.url.pathname}?format=raw`;
  return marcPage({ name, marc, editions, raw: address, ...(next === undefined ? {} : { next }) });
}

function editionsOf({ context, name, wanted }: Named): Promise<string[]> {
  const names = [{ kind: "source", value: name }, ...wanted];
  return findEditionKeys(catalogReader(context), names, SHOWN_EDITIONS_MAX);
}

function jsonReply(
  source: string,
  editions: readonly string[],
  marc: ReturnType<typeof marcJson> | null,
): Reply {
  return json({ source, source_record: source, editions, marc }, { headers: { Vary: "Accept" } });
}
