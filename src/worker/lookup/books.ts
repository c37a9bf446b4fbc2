import * as z from "zod";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { bothIsbnsOf } from "../../catalog/identifiers/isbn.ts";
import { type BibKey, BIBKEYS_MAX, parseBibKey, splitBibKeys } from "../../catalog/lookup/bibkey.ts";
import { type EditionBundle, type LookupConfig, formatOrderedObject } from "../../catalog/lookup/bundle.ts";
import type { JsonObject } from "../../catalog/record.ts";
import { toDataEntry, toDetailsEntry, toViewapiEntry } from "../../catalog/lookup/entries.ts";
import type { MissedBook } from "../imports/import-missed.ts";
import { gatherBundles } from "./editions/bundles.ts";
import {
  type AnyOperation,
  type RequestContext,
  lookupConfig,
  catalogReader,
  operation,
} from "../http/operation.ts";
import { type EditionMatch, findByBibKeys } from "./editions/find-editions.ts";
import { boolean, callbackName } from "../http/parameters.ts";
import { sendOrLog } from "../http/queue.ts";
import { type Reply, NO_STORE, REVALIDATE, SCRIPT_TYPE, jsonText, jsonp } from "../http/reply.ts";
import { expandParameter } from "../records/part-parameters.ts";
import { readPartsOf, readShownBy, withParts } from "./entry-parts.ts";
import type { LookupMessage } from "../imports/lookups.ts";
import type { TextKey } from "../../catalog/texts.ts";

const bibkeys = z.array(z.string()).transform((occurrences, context) => {
  const keys = splitBibKeys(occurrences);
  if (keys.length <= BIBKEYS_MAX) return keys;
  context.issues.push({
    code: "custom",
    input: keys.length,
    message: "validation.list_max" satisfies TextKey,
    params: {
      type: "too_long",
      values: { count: BIBKEYS_MAX, actual: keys.length },
      ctx: { field_type: "List", max_length: BIBKEYS_MAX, actual_length: keys.length },
    },
  });
  return z.NEVER;
});

const parameters = {
  ...expandParameter,
  bibkeys: bibkeys
    .pipe(z.array(z.string()))
    .describe("Comma-separated ISBNs, LCCN:…, OCLC:…, OLID:…, OCAID:…"),
  details: z.enum(["true", "false"]).default("false").describe("`true`: same as `jscmd=details`"),
  jscmd: z.enum(["details", "data", "viewapi"]).optional(),
  callback: callbackName(),
  high_priority: boolean().default(false).describe("`true`: look up and import missing books immediately"),
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

const responses = {
  200: {
    description: "Entries by requested key",
    schema: z.record(z.string(), entry),
    also: [SCRIPT_TYPE],
  },
};

export const booksJson = booksOperation("booksJson", "json");
export const booksScript = booksOperation("booksScript", "js");

function booksOperation(id: string, format: "json" | "js"): AnyOperation {
  return operation({
    id,
    summary: "Look up editions by identifiers",
    tag: "lookup",
    query: parameters,
    cache: { isolate: 5, edge: 30 },
    responses,
    handle: ({ query: { format: own = format, ...params } }, context) =>
      booksReply({ ...params, format: own }, context),
  });
}

/** `POST /api/books`: for more keys than an address holds (Q813). */
export const booksOfForm = operation({
  id: "booksOfForm",
  summary: "Look up many editions by identifiers",
  tag: "lookup",
  form: parameters,
  inReadOnly: true,
  responses,
  async handle({ form: { format = "json", ...params } }, context) {
    const { etag: _tag, ...reply } = await booksReply({ ...params, format }, context);
    return { ...reply, cacheControl: NO_STORE };
  },
});

type BooksParameters = z.output<z.ZodObject<typeof parameters>>;

async function booksReply(
  { callback, format, ...params }: BooksParameters,
  context: RequestContext,
): Promise<Reply> {
  const form: Form = params.details === "true" ? "details" : (params.jscmd ?? "viewapi");
  const { body, more } = await readEntries(params, form, context);
  if (callback !== undefined) return jsonp(body, callback, more);
  if (format === "json") return jsonText(body, more);
  // Q4: the script assigns a global variable.
  return jsonText(`var _OLBookInfo = ${body};`, { ...more, contentType: SCRIPT_TYPE });
}

type Form = "viewapi" | "details" | "data";

async function readEntries(
  params: Pick<BooksParameters, "bibkeys" | "high_priority" | "expand">,
  form: Form,
  context: RequestContext,
): Promise<{ body: string; more: Partial<Reply> }> {
  const keys = params.bibkeys.map((key) => parseBibKey(key, context.settings.RECORD_PREFIX));
  let database = catalogReader(context);
  // The short form needs related records of scanned editions only.
  const options = { withRelated: form !== "viewapi" };
  const [found, shown] = await Promise.all([
    findByBibKeys(database, keys, options),
    readShownBy(database, keys, params),
  ]);
  let { matches: editions, related } = found;
  const missed = missedBooks(keys, editions);
  const isImporting = params.high_priority && missed.length > 0;
  if (isImporting) {
    const { importMissed } = await import("../imports/import-missed.ts");
    // Q30: books that no source has answered for yet are looked up later.
    requestLookup(await importMissed(context, missed), context, "high");
    database = context.stores.catalog.withSession("first-primary");
    ({ matches: editions, related } = await findByBibKeys(database, keys, options));
  } else {
    requestLookup(missed, context);
  }
  const depth = form === "viewapi" ? "edition" : "work-and-authors";
  const bundleOptions = { depth, context, withLoans: form === "data", related } as const;
  const [{ byEdition, revisions, scanStates, isVolatile }, parts] = await Promise.all([
    gatherBundles(database, editions, bundleOptions),
    readPartsOf(params.expand, { editions, reached: isImporting ? undefined : shown }, context),
  ]);
  const config = lookupConfig(context);
  const body = formatOrderedObject(
    editions.flatMap(({ key, edition }) => {
      const bundle = byEdition.get(edition);
      if (bundle === undefined) return [];
      const own: JsonObject = ENTRIES[form](key.requested, bundle, config);
      return [[key.requested, parts === undefined ? own : withParts(own, edition, parts)] as const];
    }),
  );
  const records = [...new Set(revisions.map(({ key }) => key))];
  // Q281: answers that show loans are not cached, nor those that lack a book being imported: it may be there next time.
  const etag = computeRevisionsEtag(revisions, `${form} ${scanStates}`);
  const more = { etag, cacheControl: REVALIDATE, records, isVolatile: isVolatile || isImporting };
  return { body, more: parts?.reply(more) ?? more };
}

const ENTRIES: Record<Form, (requested: string, bundle: EditionBundle, config: LookupConfig) => JsonObject> =
  {
    viewapi: toViewapiEntry,
    details: toDetailsEntry,
    data: (_requested, bundle, config) => toDataEntry(bundle, config),
  };

/** Returns the ISBNs and ASINs that have no edition, each book once. */
function missedBooks(keys: readonly BibKey[], editions: readonly EditionMatch[]): MissedBook[] {
  const hits = new Set(editions.map(({ key }) => key));
  const missed = keys
    .filter((key) => (key.kind === "isbn" || key.kind === "asin") && !hits.has(key))
    .map(({ kind, value }): MissedBook => {
      if (kind === "asin") return { isbn: null, asin: value };
      const [isbn10, isbn13] = bothIsbnsOf(value);
      return { isbn: isbn13 ?? isbn10 ?? null, asin: null };
    });
  return [...new Map(missed.map((book) => [book.isbn ?? book.asin, book])).values()];
}

const LOOKUPS_PER_REQUEST = 50;

/**
 * Queues the lookup of missing books at other sources, after the response. Does nothing while `AFFILIATE_LOOKUP` is off.
 */
export function requestLookup(
  missed: readonly MissedBook[],
  context: RequestContext,
  priority: LookupMessage["priority"] = "low",
): void {
  const books = missed
    .filter(({ isbn, asin }) => isbn !== null || asin !== null)
    .slice(0, LOOKUPS_PER_REQUEST);
  if (context.settings.AFFILIATE_LOOKUP === "off" || books.length === 0) return;
  const messages = books.map((book) => ({ body: { ...book, priority } satisfies LookupMessage }));
  const { stores, requestId } = context;
  context.waitUntil(sendOrLog("lookup", { requestId }, () => stores.lookupQueue.sendBatch(messages)));
}
