import type { Json } from "../../catalog/record.ts";
import { ImportFailure } from "../failure.ts";
import type { LanguageIndex } from "../load/language-index.ts";
import type { ImportRecord } from "../record.ts";
import { validatedRecord } from "../validate/validated-record.ts";
import { itemLanguage } from "./item-language.ts";
import type { ItemMetadata } from "./metadata.ts";
import { imprintOf } from "./publisher.ts";

/** Pages of a scan that are no pages of the book: covers and targets. */
const EXTRA_IMAGES = 4;
const COUNT = /^[0-9]{1,9}$/;

/**
 * The record of an archive item without MARC (import.md 3.3), validated. Throws ImportFailure `invalid-ia-metadata` when
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
  return {
    title: metadata.text("title") ?? "",
    authors: creators(metadata.text("creator")),
    publish_date: metadata.text("date") ?? null,
    source_records: [`ia:${identifier}`],
    ...given("description", metadata.text("description")),
    ...given(
      "isbn_10",
      isbns.filter((isbn) => isbn.length === 10),
    ),
    ...given(
      "isbn_13",
      isbns.filter((isbn) => isbn.length === 13),
    ),
    ...given("languages", listOf(itemLanguage(metadata.text("language"), languages))),
    ...given("lccn", listOf(metadata.text("lccn"))),
    ...given("subjects", [...metadata.list("subject")]),
    ...given("oclc_numbers", [...metadata.list("oclc-id")]),
    ...given("number_of_pages", pages(metadata.text("imagecount"))),
    ...given("publish_places", [...places]),
    ...given("publishers", [...publishers]),
  };
}

function creators(text: string | undefined): Json[] {
  const names = (text ?? "").split(";").map((name) => name.trim());
  return names.filter((name) => name !== "").map((name) => ({ name }));
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

/** A member that says something. */
function given(name: string, value: Json | undefined): ImportRecord {
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
  return isEmpty ? {} : { [name]: value };
}
