import * as z from "zod";
import { latestRecord } from "../../catalog/document.ts";
import { editionIdentifiers } from "../../catalog/identifiers/edition-identifiers.ts";
import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { type CatalogRecord, type Json, type JsonObject, isObject } from "../../catalog/record.ts";
import { findByIdentifiers } from "../../db/records/identifiers.ts";
import { readRecord } from "../../db/records/records.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import type { ImportRecord } from "../../import/record.ts";
import { bodyText } from "../http/bytes.ts";
import { type RequestContext, catalogReader, coversUrl, operation } from "../http/operation.ts";
import { requireWritable } from "../http/read-only.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { requestLoadContext, requestWriter } from "../imports/load-context.ts";
import { loadRecord } from "../imports/load-record.ts";
import { refuseSpam } from "../history/save.ts";
import { asBasicUser, ilsError, ilsErrorSchema, withIlsErrors } from "./ils-user.ts";

/** Most identifiers of a book that is looked for, ISBNs in both lengths. */
const ILS_IDENTIFIERS_MAX = 200;

/** Largest description of a book, in bytes. */
const ILS_BODY_BYTES = 65_536;

/** `POST /api/ils_search`: a library system looks for a book, and makes it where it is not there. */
export const ilsSearch = operation({
  id: "ilsSearch",
  summary:
    "Finds the edition that a library system describes; with Basic credentials makes it if it is not there",
  tag: "import",
  body: {
    contentType: "application/json",
    description: "title, authors, publisher, publish_year, isbn, lccn, oclc_numbers, ocaid, identifiers",
  },
  // Looking is allowed; making a record asks for itself.
  inReadOnly: true,
  responses: {
    200: { description: "status: found, created or notfound", schema: z.looseObject({ status: z.string() }) },
    400: { description: "No JSON object, or no book that can be made", schema: ilsErrorSchema },
    401: { description: "The credentials are wrong", schema: ilsErrorSchema },
    403: { description: "The account may not make these records", schema: ilsErrorSchema },
    429: { description: "Too many wrong credentials", schema: ilsErrorSchema },
  },
  handle: (_input, context) =>
    withIlsErrors(async () => json(await search(context), { cacheControl: NO_STORE })),
});

/** Members of an edition that a library system is not told. */
const ENVELOPE: ReadonlySet<string> = new Set([
  "created",
  "last_modified",
  "latest_revision",
  "revision",
  "type",
  "identifiers",
]);

/** An edition that was found: its members at the top level, and all its identifiers with them. */
function foundBook(context: RequestContext, row: RecordRow): JsonObject {
  const edition = latestRecord(row);
  const { identifiers } = edition;
  const own = {
    status: "found",
    key: row.key,
    olid: row.key.slice(row.key.lastIndexOf("/") + 1),
    ...coverOf(context, edition),
  };
  const members = Object.fromEntries(Object.entries(edition).filter(([name]) => !ENVELOPE.has(name)));
  // Q381: an identifier that is called `status` does not hide the status.
  return { ...own, ...(isObject(identifiers) ? identifiers : {}), ...members, ...own };
}

function coverOf(context: RequestContext, { covers }: CatalogRecord): JsonObject {
  const [first] = Array.isArray(covers) ? covers : [];
  if (typeof first !== "number" || first <= 0) return {};
  const image = `${coversUrl(context)}/b/id/${first}`;
  return { cover: { small: `${image}-S.jpg`, medium: `${image}-M.jpg`, large: `${image}-L.jpg` } };
}

/**
 * Imports a book that was not found, by the account that the context is of (Q383): whoever may make these records by
 * hand may do it here. One that is there under other identifiers is told as found. Throws 403, and `ImportFailure`.
 */
async function createBook(context: RequestContext, book: ImportRecord | undefined): Promise<JsonObject> {
  if (book === undefined) throw ilsError(400, "title missing");
  await requireWritable(context);
  const { username } = await context.actor();
  const record: ImportRecord = { ...book, source_records: [`ils:${username}`] };
  await refuseSpam(context, { documents: [record], comment: null });
  const reply = await loadRecord(requestLoadContext(context), record, await requestWriter(context));
  if (reply.edition.status !== "created") {
    const row = await readRecord(context.stores.catalog.withSession("first-primary"), reply.edition.key);
    if (row !== undefined) return foundBook(context, row);
  }
  return {
    status: "created",
    editions: [reply.edition.key],
    works: [reply.work.key],
    authors: (reply.authors ?? []).map((author) => author.key),
  };
}

/** Names of identifiers that may stand at the top or below `identifiers`, and their members in an edition. */
const OWN_MEMBERS: Readonly<Record<string, string>> = {
  isbn: "isbn",
  isbn_10: "isbn",
  isbn_13: "isbn",
  lccn: "lccn",
  oclc: "oclc_numbers",
  oclc_number: "oclc_numbers",
  oclc_numbers: "oclc_numbers",
  ocaid: "ocaid",
};

/**
 * Reads the JSON body of a search: what the book may be found by, and the record that it becomes where it is not found,
 * without its source; undefined when it has no title. What has an odd type is passed over. Throws a 400.
 */
function readIlsBook(text: string) {
  const body = parsed(text);
  const { own, others } = identifiersOf(body);
  const isbns = (own.get("isbn") ?? []).flatMap((isbn) => canonicalIsbn(isbn) ?? []);
  const edition: CatalogRecord = {
    isbn_10: isbns.filter(({ length }) => length === 10),
    isbn_13: isbns.filter(({ length }) => length === 13),
    lccn: own.get("lccn") ?? [],
    oclc_numbers: own.get("oclc_numbers") ?? [],
    identifiers: Object.fromEntries(others),
  };
  const scans = own.get("ocaid") ?? [];
  const identifiers = editionIdentifiers({ ...edition, ocaid: scans });
  if (identifiers.length > ILS_IDENTIFIERS_MAX) throw ilsError(400, "too many identifiers");
  return { identifiers, record: recordOf(body, edition, scans) };
}

function parsed(text: string): CatalogRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw ilsError(400, `Unparsable JSON input: ${error.message}`);
  }
  if (!isObject(value)) throw ilsError(400, "Unparsable JSON input: not an object");
  return value;
}

/** Identifiers by the member of an edition that they are; others by their names. */
function identifiersOf(body: CatalogRecord) {
  const found = { own: new Map<string, string[]>(), others: new Map<string, string[]>() };
  const nested = isObject(body["identifiers"]) ? Object.entries(body["identifiers"]) : [];
  const top = Object.entries(body).filter(([name]) => Object.hasOwn(OWN_MEMBERS, name));
  for (const [name, value] of [...top, ...nested]) {
    const member = Object.hasOwn(OWN_MEMBERS, name) ? OWN_MEMBERS[name] : undefined;
    const texts = textsOf(value);
    if (texts.length === 0) continue;
    const [into, key] = member === undefined ? [found.others, name] : [found.own, member];
    into.set(key, [...new Set([...(into.get(key) ?? []), ...texts])]);
  }
  return found;
}

function recordOf(
  body: CatalogRecord,
  edition: CatalogRecord,
  [scan]: readonly string[],
): ImportRecord | undefined {
  const [title] = textsOf(body["title"]);
  if (title === undefined) return undefined;
  const { identifiers, ...numbers } = edition;
  const [year] = textsOf(body["publish_year"]);
  const publishers = textsOf(body["publisher"]);
  const hasOthers = isObject(identifiers) && Object.keys(identifiers).length > 0;
  return {
    title,
    authors: textsOf(body["authors"]).map((name) => ({ name })),
    ...(publishers.length === 0 ? {} : { publishers }),
    ...(year === undefined ? {} : { publish_date: year }),
    ...Object.fromEntries(Object.entries(numbers).filter(([, list]) => textsOf(list).length > 0)),
    ...(scan === undefined ? {} : { ocaid: scan }),
    ...(hasOthers ? { identifiers } : {}),
  };
}

/** Texts of one value or of several, trimmed, numbers too; blank ones and what is neither are left out. */
function textsOf(value: Json | undefined): string[] {
  const several = Array.isArray(value) ? value : [value];
  return several.flatMap((one) => {
    const text = typeof one === "number" ? String(one) : one;
    return typeof text === "string" && text.trim() !== "" ? [text.trim()] : [];
  });
}

async function search(context: RequestContext) {
  const book = readIlsBook(await bodyText(context.request, ILS_BODY_BYTES));
  // Wrong credentials are told also where a book is found.
  const user = await asBasicUser(context);
  const row = await findByIdentifiers(catalogReader(context), book.identifiers);
  if (row !== undefined) return foundBook(context, row);
  return user === undefined ? { status: "notfound" } : createBook(user, book.record);
}
