import { foldedName } from "../catalog/matching/match-keys.ts";

import { ImportFailure } from "./failure.ts";
import type { ItemMetadata } from "./item-metadata.ts";
import type { LanguageIndex } from "./load/found.ts";
import { trimmer } from "./marc/edition/text.ts";
import { type ImportRecord, isFalsy } from "./record.ts";
import { validatedRecord } from "./validate.ts";

const FOLDER = "/languages/";
const CODE = /^.{3}$/u;

/**
 * Returns the language of an item: a code as is, or the code of a name. Returns undefined if no language, or more than
 * one, has the name.
 */
function itemLanguage(text: string | undefined, languages: LanguageIndex): string | undefined {
  if (text === undefined || CODE.test(text)) return text;
  const [key, ...others] = languages.byName.get(foldedName(text)) ?? [];
  return key === undefined || others.length > 0 ? undefined : key.slice(FOLDER.length);
}

const NO_PLACE = "Place of publication not identified";
const BRACKETS = /[[\]]/g;
const trim = trimmer(",' \"");

/**
 * Parses `place ; place : publisher ; place : publisher`. Text without a colon is a publisher. A part with more than
 * one colon is ambiguous and ends the parsing.
 */
export function imprintOf(text: string | undefined): { places: string[]; publishers: string[] } {
  const plain = (text ?? "").replaceAll(NO_PLACE, "").replace(BRACKETS, "");
  if (!plain.includes(":")) return { places: [], publishers: trimmed([plain]) };
  const places: string[] = [];
  const publishers: string[] = [];
  let unused: string[] = [];
  for (const part of plain.split(";")) {
    const [left = "", right, ...more] = part.split(":");
    if (more.length > 0) break;
    if (right === undefined) unused.push(left);
    else {
      for (const place of [...unused, left]) places.push(place);
      publishers.push(right);
      unused = [];
    }
  }
  return { places: trimmed(places), publishers: trimmed(publishers) };
}

function trimmed(texts: readonly string[]): string[] {
  return texts.map(trim).filter((text) => text !== "");
}

/** Number of images of a scan that are not pages of the book: covers and targets. */
const EXTRA_IMAGES = 4;
const COUNT = /^[0-9]{1,9}$/;

/**
 * Builds and validates the record of an archive item without MARC. Throws ImportFailure `invalid-ia-metadata` if the
 * metadata has no identifier, `not-differentiable` if it says too little about the book.
 */
export function itemRecord(metadata: ItemMetadata, languages: LanguageIndex): ImportRecord {
  const record = recordOfItem(metadata, languages);
  try {
    return validatedRecord(record);
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new ImportFailure("not-differentiable", error.message);
  }
}

function recordOfItem(metadata: ItemMetadata, languages: LanguageIndex): ImportRecord {
  const identifier = metadata.text("identifier");
  if (identifier === undefined) throw new ImportFailure("invalid-ia-metadata", "The item has no identifier");
  const { places, publishers } = imprintOf(metadata.text("publisher"));
  const isbns = metadata.list("isbn").map((isbn) => isbn.trim());
  const creators = (metadata.text("creator") ?? "").split(";").map((name) => name.trim());
  const more: ImportRecord = {
    description: metadata.text("description"),
    isbn_10: isbns.filter((isbn) => isbn.length === 10),
    isbn_13: isbns.filter((isbn) => isbn.length === 13),
    languages: listOf(itemLanguage(metadata.text("language"), languages)),
    lccn: listOf(metadata.text("lccn")),
    subjects: [...metadata.list("subject")],
    oclc_numbers: [...metadata.list("oclc-id")],
    number_of_pages: pages(metadata.text("imagecount")),
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

function pages(images: string | undefined): number | undefined {
  if (images === undefined || !COUNT.test(images)) return undefined;
  const count = Number(images);
  if (count === 0) return undefined;
  return count > EXTRA_IMAGES ? count - EXTRA_IMAGES : count;
}

function listOf(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}
