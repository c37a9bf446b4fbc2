import { failure } from "../http/failure.ts";
import * as z from "zod";
import type { Identifier } from "../../catalog/identifiers/edition-identifiers.ts";
import { findEditionKeys } from "../../db/records/identifiers.ts";
import { wantsJson } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import { logLine } from "../http/log.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, json, plain, redirect } from "../http/reply.ts";
import { itemSource } from "../platform/item-source.ts";
import { ItemsFailure } from "../platform/item.ts";
import { addressOf } from "../ui/markup.ts";
import { type BulkPlace, parseBulkPlace } from "./item-marc.ts";
import {
  type ShownRecord,
  toMarcJson,
  marcPage,
  readShownRecord,
  readItemFile,
  sourcePage,
} from "./shown-record.ts";

const SITES: Readonly<Record<string, (id: string) => string>> = {
  amazon: (asin) => `https://www.amazon.com/dp/${asin}`,
  bwb: (isbn) => `https://www.betterworldbooks.com/product/detail/-${isbn}`,
  google_books: (isbn) => `https://books.google.com/books?vid=ISBN${isbn}`,
};
const GUESSED_LENGTH = 5;
const SHOWN_EDITIONS_MAX = 100;
const SUFFIX = ".json";
/** The route is public, so archive requests are kept short. */
const SHORT_TIMEOUTS = { inHurry: true };

export const showMarc = operation({
  id: "showMarc",
  summary: "Redirect from the legacy path of MARC records",
  tag: "import",
  path: { rest: z.string() },
  responses: { 303: { description: "Redirect to the record" } },
  handle: ({ path: { rest } }, { url }) => redirect(303, recordAddress(rest) + url.search),
});

const shownJson = z.object({
  source: z.string(),
  source_record: z.string().describe("Source of the record; equals `source`"),
  editions: z.array(z.string()).describe("Keys of the editions"),
  marc: z
    .object({ leader: z.string(), fields: z.array(z.record(z.string(), z.unknown())) })
    .nullable()
    .describe("MARC-in-JSON; null if the record is missing or unreadable"),
});

export const showRecords = operation({
  id: "showRecords",
  summary: "Get the MARC record that an edition was imported from",
  tag: "import",
  path: {
    rest: z
      .string()
      .max(1000)
      .describe("Source of the record: `ia:<item>`, `<item>/<file>:<offset>:<length>`, `amazon:<ASIN>`, …"),
  },
  query: { format: z.string().optional().describe("`raw` for application/marc") },
  responses: {
    200: {
      description: "Record as HTML, JSON or MARC, or as text if it is unreadable",
      schema: shownJson,
      also: ["text/html", "application/marc", "text/plain"],
    },
    303: { description: "Redirect to the record" },
    502: { description: "Archive not responding" },
  },
  async handle({ path: { rest }, query: { format } }, context) {
    // Q455: the address without a suffix has always returned pages, to programs as well.
    const isJson = rest.endsWith(SUFFIX) || wantsJson(context.request);
    const request: ShowRequest = { context, isRaw: format === "raw", isJson };
    try {
      return await showSource(rest.endsWith(SUFFIX) ? rest.slice(0, -SUFFIX.length) : rest, request);
    } catch (error) {
      if (!(error instanceof ItemsFailure)) throw error;
      logLine("error", "items", { problem: error.message });
      if (!error.isConfigured) throw notFound();
      throw failure("bad_gateway.archive");
    }
  },
});

function recordAddress(name: string): string {
  return addressOf(`/show-records/${name}`).replaceAll("%3A", ":");
}

type ShowRequest = { context: RequestContext; isRaw: boolean; isJson: boolean };

function redirectToRecord(name: string, { context: { url } }: ShowRequest): Reply {
  const suffix = url.pathname.endsWith(SUFFIX) ? SUFFIX : "";
  return redirect(303, recordAddress(name) + suffix + url.search);
}

async function showSource(rest: string, request: ShowRequest): Promise<Reply> {
  const [, prefix = "", id = ""] = /^([a-z_]+):([^/]+)$/.exec(rest) ?? [];
  if (prefix === "ia") return showItem(id, request);
  const site = Object.hasOwn(SITES, prefix) ? SITES[prefix] : undefined;
  if (site !== undefined) {
    // Shows the editions made from the source, and a link to the site.
    const editions = await editionsOf({ ...request, name: rest, wanted: [] });
    if (request.isJson) return replyWithJson(rest, editions, null);
    return sourcePage(rest, site(encodeURIComponent(id)), editions);
  }
  const [, item] = /^([^/]+)\/\1_meta\.mrc(?::|$)/.exec(rest) ?? [];
  if (item !== undefined) return redirectToRecord(`ia:${item}`, request);
  const place = parseBulkPlace(rest);
  if (place === undefined) throw notFound();
  return showPlace(place, request);
}

async function showItem(id: string, request: ShowRequest): Promise<Reply> {
  const source = itemSource(request.context, SHORT_TIMEOUTS);
  const record = await readItemFile(source, id);
  const named: NamedRequest = { ...request, name: `ia:${id}`, wanted: [{ kind: "ocaid", value: id }] };
  if (record.kind === "record") return replyWithRecord(record, named);
  // Q366: an unreadable record is a text response, not an HTTP error.
  if (record.kind !== "missing") return replyUnreadable(id, named);
  // The item may exist without a record.
  if ((await source.metadata(id)) === undefined) throw notFound();
  if (request.isJson) return replyWithJson(named.name, await editionsOf(named), null);
  const archive = request.context.settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "");
  return redirect(303, `${archive}/details/${encodeURIComponent(id)}`);
}

async function showPlace(place: BulkPlace, request: ShowRequest): Promise<Reply> {
  const record = await readShownRecord(itemSource(request.context, SHORT_TIMEOUTS), place);
  const { item, file, offset, length } = place;
  const here = `${item}/${file}:${offset}`;
  const named: NamedRequest = { ...request, name: `marc:${here}:${length}`, wanted: [] };
  switch (record.kind) {
    case "missing":
      throw notFound();
    case "unreadable":
      return replyUnreadable(`${here}:${length}`, named);
    case "moved":
      return redirectToRecord(`${here}:${record.length}`, request);
    case "record": {
      const next = recordAddress(`${item}/${file}:${offset + length}:${GUESSED_LENGTH}`);
      return replyWithRecord(record, { ...named, next });
    }
  }
}

interface NamedRequest extends ShowRequest {
  readonly name: string;
  readonly wanted: readonly Identifier[];
  readonly next?: string;
}

async function replyUnreadable(what: string, named: NamedRequest): Promise<Reply> {
  if (!named.isJson) return plain(`ERROR reading MARC for ${what}`);
  return replyWithJson(named.name, await editionsOf(named), null);
}

async function replyWithRecord({ bytes, marc }: ShownRecord & { kind: "record" }, named: NamedRequest) {
  const { context, isRaw, isJson, name, next } = named;
  if (isRaw) {
    return { status: 200, body: new Blob([bytes]).stream(), contentType: "application/marc" };
  }
  const editions = await editionsOf(named);
  if (isJson) return replyWithJson(name, editions, marc === undefined ? null : toMarcJson(marc));
  const address = `${context.url.pathname}?format=raw`;
  return marcPage({ name, marc, editions, raw: address, ...(next === undefined ? {} : { next }) });
}

function editionsOf({ context, name, wanted }: NamedRequest): Promise<string[]> {
  const names = [{ kind: "source", value: name }, ...wanted];
  return findEditionKeys(catalogReader(context), names, SHOWN_EDITIONS_MAX);
}

function replyWithJson(
  source: string,
  editions: readonly string[],
  marc: ReturnType<typeof toMarcJson> | null,
): Reply {
  return json({ source, source_record: source, editions, marc }, { headers: { Vary: "Accept" } });
}
