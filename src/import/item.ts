import { type CatalogRecord, type Json, stringsOf, textOf } from "../catalog/record.ts";
import { type ImportErrorCode, ImportFailure } from "./failure.ts";
import type { MarcRecord } from "./marc/record.ts";
import { toCanonicalIsbn } from "../catalog/identifiers/isbn.ts";
import { trimmerOf } from "../catalog/bytes.ts";
import { type ImportRecord, isFalsy } from "./record.ts";
import { type ImportWarning, addWarning } from "./warning.ts";
import { validateRecord } from "./validate.ts";

/**
 * Returns a partner's own numbers for a book, `urn:<prefix>:<number>`, from its MARC record. `partner` is a record of
 * type `/type/local_id`. Throws ImportFailure `bad-input` if it does not say where the numbers are, MarcError if the
 * field is damaged.
 */
export function localIdsOf(marc: MarcRecord, partner: CatalogRecord): string[] {
  const { tag, code, urnPrefix } = parseIdLocation(partner);
  return marc.fields
    .filter((field) => field.tag === tag)
    .map((field) => ("value" in field ? field.value : field.subfields.find(([name]) => name === code)?.[1]))
    .filter((value) => value !== undefined && value !== "")
    .map((value) => `urn:${urnPrefix}:${value}`);
}

/** Returns the location of a partner's numbers in MARC records; a control field without a code. */
function parseIdLocation(partner: CatalogRecord) {
  const [tag = "", code, ...more] = (textOf(partner["id_location"]) ?? "").split("$");
  const urnPrefix = textOf(partner["urn_prefix"]) ?? "";
  if (tag === "" || code === "" || more.length > 0 || urnPrefix === "") {
    throw new ImportFailure("bad-input", "not_imported.local_id_location");
  }
  return { tag, code, urnPrefix };
}

/** Leader types of books: printed text, and material catalogued as scores and computer files. */
const BOOK_KINDS: ReadonlySet<string> = new Set(["a", "c", "m"]);

/** Throws ImportFailure if the leader of a MARC record says that its library has deleted it (Q772). */
export function requireCurrent({ leader }: Pick<MarcRecord, "leader">): void {
  if (leader.charAt(5) === "d") throw new ImportFailure("record-deleted", "not_imported.deleted");
}

/** Throws ImportFailure if the leader of a MARC record says that it was deleted, or is not a book. */
export function requireBook({ leader }: Pick<MarcRecord, "leader">): void {
  requireCurrent({ leader });
  const [kind, level] = [leader.charAt(6), leader.charAt(7)];
  if (level === "m" && BOOK_KINDS.has(kind)) return;
  throw new ImportFailure(level === "s" ? "item-is-serial" : "item-not-book", "not_imported.not_book");
}

/** Normalised metadata of an archive item: list members as lists, all others as one text. */
type ItemMetadata = ReturnType<typeof normalizeMetadata>;

/** Members that are lists, in any notation. Q329: of other members the first value counts. */
const LISTS: ReadonlySet<string> = new Set([
  "collection",
  "external-identifier",
  "isbn",
  "subject",
  "oclc-id",
]);

/** Normalises archive metadata: drops empty values; numbers and booleans become text. */
export function normalizeMetadata(raw: Readonly<Record<string, Json | undefined>>) {
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(raw)) {
    const texts = textsOf(value);
    if (texts.length > 0) values.set(name, LISTS.has(name) ? texts : texts.slice(0, 1));
  }
  return {
    text: (name: string): string | undefined => values.get(name)?.[0],
    list: (name: string): readonly string[] => values.get(name) ?? [],
  };
}

function textsOf(value: Json | undefined): string[] {
  const list = Array.isArray(value) ? value : [value];
  const written = list.map((entry) =>
    typeof entry === "object" || entry === undefined ? "" : String(entry),
  );
  return written.filter((text) => text !== "");
}

/** `repub_state` values of scans whose metadata is final. */
const SETTLED_STATES: ReadonlySet<string> = new Set(["4", "19", "20", "22"]);
/** Collections for lending. Their items are imported even though search engines must not index them. */
const LENDING_COLLECTIONS: ReadonlySet<string> = new Set(["printdisabled", "inlibrary"]);

/** Returns the first reason for not importing an item, such as the prefix of its id. */
export function findItemRefusal(
  id: string,
  metadata: ItemMetadata,
  refusedPrefixes: readonly string[],
): ImportErrorCode | undefined {
  const state = metadata.text("repub_state");
  if (metadata.text("mediatype") !== "texts") return "not-texts-item";
  if (state !== undefined && !SETTLED_STATES.has(state)) return "bad-repub-state";
  if (metadata.text("imagecount") === undefined) return "no-imagecount";
  if (refusedPrefixes.some((prefix) => id.startsWith(prefix))) return "prefix-blacklisted";
  const isLent = metadata.list("collection").some((name) => LENDING_COLLECTIONS.has(name));
  if (metadata.text("noindex") === "true" && !isLent) return "noindex-true";
  if (metadata.text("no_ol_import")?.toLowerCase() === "true") return "no-ol-import";
  return undefined;
}

const NO_PLACE = "Place of publication not identified";
const BRACKETS = /[[\]]/g;
const trim = trimmerOf(",' \"");

/**
 * Parses `place ; place : publisher ; place : publisher`. Text without a colon is a publisher. A part with more than
 * one colon is ambiguous and ends the parsing.
 */
export function imprintOf(text: string | undefined): { places: string[]; publishers: string[] } {
  const plain = (text ?? "").replaceAll(NO_PLACE, "").replace(BRACKETS, "");
  if (!plain.includes(":")) return { places: [], publishers: trimTexts([plain]) };
  const places: string[] = [];
  const publishers: string[] = [];
  let pendingPlaces: string[] = [];
  for (const part of plain.split(";")) {
    const [left = "", right, ...more] = part.split(":");
    if (more.length > 0) break;
    if (right === undefined) pendingPlaces.push(left);
    else {
      for (const place of [...pendingPlaces, left]) places.push(place);
      publishers.push(right);
      pendingPlaces = [];
    }
  }
  return { places: trimTexts(places), publishers: trimTexts(publishers) };
}

function trimTexts(texts: readonly string[]): string[] {
  return texts.map(trim).filter((text) => text !== "");
}

/** Number of images of a scan that are not pages of the book: covers and targets. */
const EXTRA_IMAGES = 4;
const COUNT = /^[0-9]{1,9}$/;

/**
 * Builds and validates the record of an archive item without MARC. Throws ImportFailure `invalid-ia-metadata` if the
 * metadata has no identifier, `not-differentiable` if it says too little about the book.
 */
export function buildItemRecord(metadata: ItemMetadata, warnings: ImportWarning[] = []): ImportRecord {
  const record = recordOfItem(metadata, warnings);
  try {
    return validateRecord(record, warnings);
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new ImportFailure("not-differentiable", error.text);
  }
}

function recordOfItem(metadata: ItemMetadata, warnings: ImportWarning[]): ImportRecord {
  const identifier = metadata.text("identifier");
  if (identifier === undefined) throw new ImportFailure("invalid-ia-metadata", "not_imported.no_item_id");
  const { places, publishers } = imprintOf(metadata.text("publisher"));
  const isbns = metadata.list("isbn").map((isbn) => toCanonicalIsbn(isbn) ?? isbn.trim());
  const creators = (metadata.text("creator") ?? "").split(";").map((name) => name.trim());
  for (const isbn of isbns) {
    if (isbn.length !== 10 && isbn.length !== 13) addWarning(warnings, "invalid-isbn", ["isbn", isbn]);
  }
  const more: ImportRecord = {
    description: metadata.text("description"),
    isbn_10: isbns.filter((isbn) => isbn.length === 10),
    isbn_13: isbns.filter((isbn) => isbn.length === 13),
    languages: stringsOf(metadata.text("language")),
    lccn: stringsOf(metadata.text("lccn")),
    subjects: [...metadata.list("subject")],
    oclc_numbers: [...metadata.list("oclc-id")],
    number_of_pages: pageCountOf(metadata.text("imagecount")),
    publish_places: places,
    publishers,
  };
  return {
    title: metadata.text("title") ?? "",
    authors: creators.flatMap((name) => (name === "" ? [] : [{ name }])),
    publish_date: metadata.text("date") ?? null,
    source_records: [`ia:${identifier}`],
    ...Object.fromEntries(Object.entries(more).filter(([, value]) => !isFalsy(value))),
  };
}

function pageCountOf(images: string | undefined): number | undefined {
  if (images === undefined || !COUNT.test(images)) return undefined;
  const count = Number(images);
  if (count === 0) return undefined;
  return count > EXTRA_IMAGES ? count - EXTRA_IMAGES : count;
}
