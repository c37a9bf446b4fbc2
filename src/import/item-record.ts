import { foldedName } from "../catalog/matching/normal-form.ts";

import { ImportFailure } from "./failure.ts";
import type { ItemMetadata } from "./item-metadata.ts";
import type { LanguageIndex } from "./load/found.ts";
import { trimmer } from "./marc/edition/text.ts";
import { type ImportRecord, isFalsy } from "./record.ts";
import { validatedRecord } from "./validate.ts";

const FOLDER = "/languages/";
const CODE = /^.{3}$/u;

/** The language of an item: a code stays, a name is looked up. Undefined for a name that no language has, or several. */
function itemLanguage(text: string | undefined, languages: LanguageIndex): string | undefined {
  if (text === undefined || CODE.test(text)) return text;
  const [key, ...others] = languages.byName.get(foldedName(text)) ?? [];
  return key === undefined || others.length > 0 ? undefined : key.slice(FOLDER.length);
}

const NO_PLACE = "Place of publication not identified";
const BRACKETS = /[[\]]/g;
const trim = trimmer(",' \"");

/**
 * Reads `place ; place : publisher ; place : publisher`. Text without a colon is a publisher; a part with
 * more than one colon cannot be told apart, and ends the reading.
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

/** Pages of a scan that are no pages of the book: covers and targets. */
const EXTRA_IMAGES = 4;
const COUNT = /^[0-9]{1,9}$/;

/**
 * The record of an archive item without MARC, validated. Throws ImportFailure `invalid-ia-metadata` when
 * the metadata names no item, `not-differentiable` when it says too little about the book.
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
