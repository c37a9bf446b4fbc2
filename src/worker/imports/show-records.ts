import * as z from "zod";
import type { Identifier } from "../../catalog/identifiers/edition-identifiers.ts";
import { findEditionKeys } from "../../db/records/identifiers.ts";
import { readMarc } from "../../import/marc/binary.ts";
import { type MarcField, MARC_LENGTH_MAX, MarcError, readStatedLength } from "../../import/marc/record.ts";
import { wantsJson } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { logLine } from "../http/log.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, Redirect, json, plain, redirect } from "../http/reply.ts";
import { itemSource } from "../platform/item-source.ts";
import { ItemsFailure } from "../platform/item.ts";
import { addressOf } from "../ui/markup.ts";
import { parseBulkPlace } from "./item-marc.ts";
import { marcPage, sourcePage } from "./show-records-page.ts";

const SITES: Readonly<Record<string, (id: string) => string>> = {
  amazon: (asin) => `https://www.amazon.com/dp/${asin}`,
  bwb: (isbn) => `https://www.betterworldbooks.com/product/detail/-${isbn}`,
  google_books: (isbn) => `https://books.google.com/books?vid=ISBN${isbn}`,
};
const GUESSED_LENGTH = 5;
const SHOWN_EDITIONS_MAX = 100;
const SUFFIX = ".json";

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
    const hasSuffix = rest.endsWith(SUFFIX);
    // Q455: the address without a suffix has always returned pages, to programs as well.
    const isJson = hasSuffix || wantsJson(context.request);
    const source = await readSource(hasSuffix ? rest.slice(0, -SUFFIX.length) : rest, isJson, context);
    if (source instanceof Redirect) return source;
    const { name, bytes, unreadable, elsewhere, next } = source;
    // Q366: an unreadable record is a text response, not an HTTP error.
    if (unreadable !== undefined && !isJson) return plain(`ERROR reading MARC for ${unreadable}`);
    if (bytes !== undefined && format === "raw") {
      return {
        status: 200,
        body: new Blob([bytes]).stream(),
        contentType: "application/marc",
      } satisfies Reply;
    }
    const names = [{ kind: "source", value: name }, ...(source.identifiers ?? [])];
    const editions = await findEditionKeys(catalogReader(context), names, SHOWN_EDITIONS_MAX);
    const marc = bytes && (await readMarc(bytes).catch(ignoreMarcError));
    if (isJson) {
      const fields = marc?.fields.map((field) => ({ [field.tag]: toFieldJson(field) }));
      const record = marc === undefined ? null : { leader: marc.leader, fields };
      const body = { source: name, source_record: name, editions, marc: record };
      return json(body, { headers: { Vary: "Accept" } });
    }
    if (elsewhere !== undefined) return sourcePage(name, elsewhere, editions);
    return marcPage({ name, marc, editions, raw: `${context.url.pathname}?format=raw`, next });
  },
});

interface FoundSource {
  /** Source as the editions name it. */
  readonly name: string;
  /** Other identifiers of the editions. */
  readonly identifiers?: readonly Identifier[];
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Place of a record whose length cannot be read. */
  readonly unreadable?: string;
  /** Address at a site that shows its own record. */
  readonly elsewhere?: string;
  /** Address of the record that follows in the file. */
  readonly next?: string;
}

/** Reads what a source has, or returns a redirect to it. Throws 404 without it, 502 if the archive does not respond. */
async function readSource(
  rest: string,
  isJson: boolean,
  context: RequestContext,
): Promise<FoundSource | Redirect> {
  const { url, settings } = context;
  const suffix = url.pathname.endsWith(SUFFIX) ? SUFFIX : "";
  const toRecord = (name: string) => redirect(303, recordAddress(name) + suffix + url.search);
  const [, prefix = "", id = ""] = /^([a-z_]+):([^/]+)$/.exec(rest) ?? [];
  const site = Object.hasOwn(SITES, prefix) ? SITES[prefix] : undefined;
  if (site !== undefined) return { name: rest, elsewhere: site(encodeURIComponent(id)) };
  try {
    // The route is public, so archive requests are kept short.
    const archive = itemSource(context, { inHurry: true });
    if (prefix === "ia") {
      const found = { name: rest, identifiers: [{ kind: "ocaid", value: id }] };
      const bytes = await archive.file(id, `${id}_meta.mrc`);
      if (bytes !== undefined)
        return readStatedLength(bytes) === undefined ? { ...found, unreadable: id } : { ...found, bytes };
      // The item may exist without a record.
      if ((await archive.metadata(id)) === undefined) throw notFound();
      if (isJson) return found;
      const archiveUrl = settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "");
      return redirect(303, `${archiveUrl}/details/${encodeURIComponent(id)}`);
    }
    const [, ownItem] = /^([^/]+)\/\1_meta\.mrc(?::|$)/.exec(rest) ?? [];
    if (ownItem !== undefined) return toRecord(`ia:${ownItem}`);
    const place = parseBulkPlace(rest);
    if (place === undefined) throw notFound();
    const { item, file, offset, length } = place;
    const bytes = await archive.range(item, file, { offset, length: MARC_LENGTH_MAX });
    if (bytes === undefined) throw notFound();
    const here = `${item}/${file}:${offset}`;
    const name = `marc:${here}:${length}`;
    const stated = readStatedLength(bytes);
    if (stated === undefined || stated === 0) return { name, unreadable: `${here}:${length}` };
    if (stated !== length) return toRecord(`${here}:${stated}`);
    const next = recordAddress(`${item}/${file}:${offset + length}:${GUESSED_LENGTH}`);
    return { name, bytes: bytes.subarray(0, length), next };
  } catch (error) {
    if (!(error instanceof ItemsFailure)) throw error;
    logLine("error", "items", { problem: error.message });
    if (!error.isConfigured) throw notFound();
    throw failure("bad_gateway.archive");
  }
}

function recordAddress(name: string): string {
  return addressOf(`/show-records/${name}`).replaceAll("%3A", ":");
}

/** Q301: an unreadable field becomes null and does not prevent the other fields from being shown. */
function toFieldJson(field: MarcField) {
  try {
    if ("value" in field) return field.value;
    const { ind1, ind2, subfields } = field;
    return { ind1, ind2, subfields: subfields.map(([code, value]) => ({ [code]: value })) };
  } catch (error) {
    return ignoreMarcError(error) ?? null;
  }
}

function ignoreMarcError(error: unknown): undefined {
  if (!(error instanceof MarcError)) throw error;
}
