import * as z from "zod";
import { revisionsEtag } from "../../catalog/etag.ts";
import { bothIsbns } from "../../catalog/identifiers/isbn.ts";
import { type BibKey, BIBKEYS_MAX, parseBibKey, splitBibKeys } from "../../catalog/lookup/bibkey.ts";
import { dataEntry, detailsEntry, viewapiEntry } from "../../catalog/lookup/entries.ts";
import { type EditionBundle, type LookupConfig, jsonObjectInOrder } from "../../catalog/lookup/bundle.ts";
import { type MissedBook, importMissed } from "../imports/import-missed.ts";
import { gatherBundles, lookupConfig } from "../holdings/bundles.ts";
import { type FoundEdition, findByBibKeys } from "../holdings/find-editions.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { boolean, callbackName } from "../http/parameters.ts";
import { type Reply, REVALIDATE, SCRIPT_TYPE, jsonText, jsonp } from "../http/reply.ts";
import { requestLookup } from "./missed-books.ts";

const bibkeys = z.array(z.string()).transform((occurrences, context) => {
  const keys = splitBibKeys(occurrences);
  if (keys.length <= BIBKEYS_MAX) return keys;
  context.issues.push({
    code: "custom",
    input: keys.length,
    message: `List should have at most ${BIBKEYS_MAX} items after validation, not ${keys.length}`,
    params: {
      type: "too_long",
      ctx: { field_type: "List", max_length: BIBKEYS_MAX, actual_length: keys.length },
    },
  });
  return z.NEVER;
});

const query = {
  bibkeys: bibkeys
    .pipe(z.array(z.string()))
    .describe("Comma-separated ISBNs, LCCN:…, OCLC:…, OLID:…, OCAID:…"),
  details: z.enum(["true", "false"]).default("false").describe("`true`: as jscmd=details"),
  jscmd: z.enum(["details", "data", "viewapi"]).optional(),
  callback: callbackName(),
  high_priority: boolean().default(false).describe("Missing books are looked up and imported at once"),
  format: z
    .enum(["json", "js", "javascript"])
    .optional()
    .describe("json, or js for a script that sets _OLBookInfo"),
};

const entry = z
  .looseObject({
    bib_key: z.string().optional(),
    info_url: z.string().optional(),
    preview: z.string().optional(),
    preview_url: z.string().optional(),
    thumbnail_url: z.string().optional(),
  })
  .meta({ id: "BookEntry" });

/** `GET /api/books.json`: editions by ISBN, LCCN, OCLC number, scan or record number. */
export const booksJson = books("booksJson", "json");
/** `GET /api/books`: the same as a script, unless told otherwise. */
export const booksScript = books("booksScript", "js");

function books(id: string, format: "json" | "js"): AnyOperation {
  return operation({
    id,
    summary: "Editions by their identifiers",
    tag: "lookup",
    query,
    keep: { isolate: 5, edge: 30 },
    responses: {
      200: {
        description: "Entries by the key that was asked for",
        schema: z.record(z.string(), entry),
        also: [SCRIPT_TYPE],
      },
    },
    async handle({ query: asked }, context) {
      const form: Form = asked.details === "true" ? "details" : (asked.jscmd ?? "viewapi");
      const { body, more } = await entries(asked, form, context);
      if (asked.callback !== undefined) return jsonp(body, asked.callback, more);
      if ((asked.format ?? format) === "json") return jsonText(body, more);
      // Q4
      return jsonText(`var _OLBookInfo = ${body};`, { ...more, contentType: SCRIPT_TYPE });
    },
  });
}

type Query = { [name in keyof typeof query]: z.output<(typeof query)[name]> };
type Form = "viewapi" | "details" | "data";

async function entries(
  asked: Query,
  form: Form,
  context: RequestContext,
): Promise<{ body: string; more: Partial<Reply> }> {
  const keys = asked.bibkeys.map((key) => parseBibKey(key, context.settings.RECORD_PREFIX));
  const reader = catalogReader(context);
  const first = await findByBibKeys(reader, keys);
  const missed = missedBooks(keys, first);
  const isWaited = asked.high_priority && missed.length > 0;
  if (!isWaited) requestLookup(missed, context);
  const { database, found } = isWaited
    ? await importedNow(keys, missed, context)
    : { database: reader, found: first };
  const depth = form === "viewapi" ? "edition" : "work-and-authors";
  const { byEdition, revisions, scanStates, isVolatile } = await gatherBundles(database, found, {
    depth,
    context,
    withLoans: form === "data",
  });
  const config = lookupConfig(context);
  const body = jsonObjectInOrder(
    found.flatMap(({ key, edition }) => {
      const bundle = byEdition.get(edition);
      return bundle === undefined
        ? []
        : [[key.requested, ENTRIES[form](key.requested, bundle, config)] as const];
    }),
  );
  const records = [...new Set(revisions.map(({ key }) => key))];
  // Q281: whether a book is lent out is said at once, so answers that say it are not kept. Nor are those that lack a book
  // which somebody waits for: the next time it may be there.
  const etag = revisionsEtag(revisions, `${form} ${scanStates}`);
  const more = { etag, cacheControl: REVALIDATE, records, isVolatile: isVolatile || isWaited };
  return { body, more };
}

const ENTRIES: Record<Form, (requested: string, bundle: EditionBundle, config: LookupConfig) => unknown> = {
  viewapi: viewapiEntry,
  details: detailsEntry,
  data: (_requested, bundle, config) => dataEntry(bundle, config),
};

/** ISBNs and ASINs that found nothing, each book once. */
function missedBooks(keys: readonly BibKey[], found: readonly FoundEdition[]): MissedBook[] {
  const hits = new Set(found.map(({ key }) => key));
  const missed = keys
    .filter((key) => (key.kind === "isbn" || key.kind === "asin") && !hits.has(key))
    .map(({ kind, value }): MissedBook => {
      if (kind === "asin") return { isbn: null, asin: value };
      const [isbn10, isbn13] = bothIsbns(value);
      return { isbn: isbn13 ?? isbn10 ?? null, asin: null };
    });
  return [...new Map(missed.map((book) => [book.isbn ?? book.asin, book])).values()];
}

/** What there is after missed books were imported, as far as anybody knows them (Q30). */
async function importedNow(keys: readonly BibKey[], missed: readonly MissedBook[], context: RequestContext) {
  const unanswered = await importMissed(context, missed);
  requestLookup(unanswered, context, "high");
  const database = context.stores.catalog.withSession("first-primary");
  return { database, found: await findByBibKeys(database, keys) };
}
