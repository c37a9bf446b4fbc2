import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { editionIdentifiersOf } from "../../catalog/identifiers/edition-identifiers.ts";
import { toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { type CatalogRecord, type Json, type JsonObject, isObject } from "../../catalog/record.ts";
import { findByIdentifiers } from "../../db/records/identifiers.ts";
import { readRecord } from "../../db/records/records.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import type { ImportRecord } from "../../import/record.ts";
import { bodyText } from "../http/bytes.ts";
import { type RequestContext, catalogReader, coversUrl, operation } from "../http/operation.ts";
import { requireWritable } from "../http/read-only.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { requestImportContext, writerOfRequest, importRecord } from "../imports/import-record.ts";
import { refuseSpam } from "../editing/save-change.ts";
import { authenticateBasic, ilsError, ilsErrorSchema, withIlsErrors } from "./ils-user.ts";

/** Maximum identifiers of a request, with each ISBN in both lengths. */
const ILS_IDENTIFIERS_MAX = 200;

const ILS_BODY_BYTES = 65_536;

export const ilsSearch = operation({
  id: "ilsSearch",
  summary: "Find an edition for a library system; with Basic credentials, create it if missing",
  tag: "import",
  body: {
    contentType: "application/json",
    description: "title, authors, publisher, publish_year, isbn, lccn, oclc_numbers, ocaid, identifiers",
  },
  // Finding is allowed in read-only mode; creating checks for it.
  inReadOnly: true,
  responses: {
    200: { description: "Status found, created or notfound", schema: z.looseObject({ status: z.string() }) },
    400: { description: "Not a JSON object, or not enough data to create a book", schema: ilsErrorSchema },
    401: { description: "Wrong Basic credentials", schema: ilsErrorSchema },
    403: { description: "No permission to create these records", schema: ilsErrorSchema },
    429: { description: "Too many failed logins", schema: ilsErrorSchema },
  },
  handle: (_input, context) =>
    withIlsErrors(async () => {
      const { identifiers, record } = readIlsBook(await bodyText(context.request, ILS_BODY_BYTES));
      // Wrong credentials are an error even if the book is found.
      const user = await authenticateBasic(context);
      const row = await findByIdentifiers(catalogReader(context), identifiers);
      const body = row === undefined ? user && (await createBook(user, record)) : foundBook(context, row);
      return json(body ?? { status: "notfound" }, { cacheControl: NO_STORE });
    }),
});

const HIDDEN_MEMBERS: ReadonlySet<string> = new Set([
  "created",
  "last_modified",
  "latest_revision",
  "revision",
  "type",
  "identifiers",
]);

/** Builds the answer for an edition that was found: its members and all its identifiers at the top level. */
function foundBook(context: RequestContext, row: RecordRow): JsonObject {
  const edition = latestRecordOf(row);
  const { identifiers } = edition;
  const head = {
    status: "found",
    key: row.key,
    olid: row.key.slice(row.key.lastIndexOf("/") + 1),
    ...coverOf(context, edition),
  };
  const members = Object.fromEntries(Object.entries(edition).filter(([name]) => !HIDDEN_MEMBERS.has(name)));
  // Q381: an identifier named `status` must not replace the status.
  return { ...head, ...(isObject(identifiers) ? identifiers : {}), ...members, ...head };
}

function coverOf(context: RequestContext, { covers }: CatalogRecord): JsonObject {
  const [first] = Array.isArray(covers) ? covers : [];
  if (typeof first !== "number" || first <= 0) return {};
  const image = `${coversUrl(context)}/b/id/${first}`;
  return { cover: { small: `${image}-S.jpg`, medium: `${image}-M.jpg`, large: `${image}-L.jpg` } };
}

/**
 * Imports a book for the account of the context, which needs the same permissions as for creating these records by hand
 * (Q383). Returns an existing edition with other identifiers as found. Throws 403, and `ImportFailure`.
 */
async function createBook(context: RequestContext, book: ImportRecord | undefined): Promise<JsonObject> {
  if (book === undefined) throw ilsError("bad_request.no_title");
  await requireWritable(context);
  const { username } = await context.actor();
  const record: ImportRecord = { ...book, source_records: [`ils:${username}`] };
  await refuseSpam(context, { documents: [record], comment: null });
  const reply = await importRecord(requestImportContext(context), record, await writerOfRequest(context));
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

/** Members of editions, by the names of identifiers in requests, at the top level or below `identifiers`. */
const MEMBER_NAMES: Readonly<Record<string, string>> = {
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
 * Parses the body of a request: the identifiers to search for, and the record to create, without its source; undefined
 * if it has no title. Values of unexpected types are ignored. Throws 400.
 */
function readIlsBook(text: string) {
  const body = parseBody(text);
  const { members, others } = identifiersOf(body);
  const isbns = (members.get("isbn") ?? []).flatMap((isbn) => toCanonicalIsbn(isbn) ?? []);
  const edition: CatalogRecord = {
    isbn_10: isbns.filter(({ length }) => length === 10),
    isbn_13: isbns.filter(({ length }) => length === 13),
    lccn: members.get("lccn") ?? [],
    oclc_numbers: members.get("oclc_numbers") ?? [],
    identifiers: Object.fromEntries(others),
  };
  const scans = members.get("ocaid") ?? [];
  const identifiers = editionIdentifiersOf({ ...edition, ocaid: scans });
  if (identifiers.length > ILS_IDENTIFIERS_MAX)
    throw ilsError("bad_request.identifiers", { most: ILS_IDENTIFIERS_MAX });
  return { identifiers, record: recordOf(body, edition, scans) };
}

function parseBody(text: string): CatalogRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw ilsError("bad_request.unparsable", { reason: error.message });
  }
  if (!isObject(value)) throw ilsError("bad_request.unparsable_object");
  return value;
}

/** Returns identifiers by their member of an edition; those without a member by their names. */
function identifiersOf(body: CatalogRecord) {
  const members = new Map<string, string[]>();
  const others = new Map<string, string[]>();
  const nested = isObject(body["identifiers"]) ? Object.entries(body["identifiers"]) : [];
  const top = Object.entries(body).filter(([name]) => Object.hasOwn(MEMBER_NAMES, name));
  for (const [name, value] of [...top, ...nested]) {
    const member = Object.hasOwn(MEMBER_NAMES, name) ? MEMBER_NAMES[name] : undefined;
    const texts = textsOf(value);
    if (texts.length === 0) continue;
    const [target, key] = member === undefined ? [others, name] : [members, member];
    target.set(key, [...new Set([...(target.get(key) ?? []), ...texts])]);
  }
  return { members, others };
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

/** Returns the texts and numbers of one value or several, trimmed; blank texts and other types are left out. */
function textsOf(value: Json | undefined): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((element) => {
    const text = typeof element === "number" ? String(element) : element;
    return typeof text === "string" && text.trim() !== "" ? [text.trim()] : [];
  });
}
