import { toMatchText, withoutArticle } from "../../catalog/matching/match-keys.ts";
import { dateTextOf, formatIsoDate, publicationDatesOf } from "../../catalog/publication-date.ts";
import { type CatalogRecord, type Json, isObject, stringsOf, textOf } from "../../catalog/record.ts";
import { listOf } from "../../search/documents/values.ts";
import { lookupIsbns } from "./record-lookups.ts";

/** Text that can be compared word by word. Words are split on first use, because most texts never need it. */
export class WordedText {
  readonly text: string;
  #words: readonly string[] | undefined;
  #distinct: ReadonlySet<string> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get words(): readonly string[] {
    this.#words ??= this.text.split(/\s+/).filter((word) => word !== "");
    return this.#words;
  }

  get distinct(): ReadonlySet<string> {
    this.#distinct ??= new Set(this.words);
    return this.#distinct;
  }
}

/** Maximum compared length of a title, and of a name or publisher, in UTF-16 units. */
const COMPARED_TITLE_LENGTH = 500;
const COMPARED_NAME_LENGTH = 200;
/** Maximum number of publishers to compare, and of authors whose names are compared word by word. */
export const COMPARED_NAMES_MAX = 20;
const SHORT_TITLE_LENGTH = 25;
const NO_COUNTRY: ReadonlySet<string> = new Set(["", "|||"]);

/** Name in the forms used for comparison. */
export interface ComparedName {
  readonly written: WordedText;
  readonly name: string;
  /** `toMatchText` of the name and the dates. */
  readonly dated: string;
}

export interface ComparedPublisher {
  readonly name: WordedText;
  readonly squeezed: string;
}

/** One side of a comparison. Missing values are undefined, except for the ISBNs, which are an empty list. */
export type Comparable = ReturnType<typeof toComparable>;

/** Prepares a record for comparison. It must have the members of an edition and complete author objects. */
export function toComparable(record: CatalogRecord) {
  const full = fullTitleOf(record);
  const title = toMatchText(full);
  return {
    /** `toMatchText` of title and subtitle. */
    title,
    shortTitle: Array.from(title).slice(0, SHORT_TITLE_LENGTH).join(""),
    titles: titleVariantsOf(full).map((text) => new WordedText(text)),
    isbns: lookupIsbns(record),
    lccn: listOf(stringsOf(record["lccn"])),
    date: dateOf(record),
    country: countryOf(record["publish_country"]),
    pages: typeof record["number_of_pages"] === "number" ? record["number_of_pages"] : undefined,
    publishers: listOf(publishersOf(record)),
    /** Evaluated last, only if everything else fits. */
    authors: memoize(() => namesOf(record["authors"])),
    contribs: memoize(() => namesOf(record["contribs"])),
  };
}

/** Returns the distinct forms in which other records may have a full title. */
export function titleVariantsOf(full: string): string[] {
  const title = toMatchText(full);
  const variants = new Set([full, title, withoutArticle(title)]);
  const start = title.endsWith(")") ? title.lastIndexOf(" (") : -1;
  const remark = title.slice(start + 2, -1);
  if (start > 0 && remark !== "" && !remark.includes(")")) {
    const before = title.slice(0, start);
    variants.add(before);
    variants.add(withoutArticle(before));
  }
  return [...variants];
}

function fullTitleOf(record: CatalogRecord): string {
  const [title, subtitle] = [textIn(record, "title"), textIn(record, "subtitle")];
  return (subtitle === "" ? title : `${title} ${subtitle}`).slice(0, COMPARED_TITLE_LENGTH);
}

function textIn(record: CatalogRecord, name: string): string {
  return (textOf(record[name]) ?? "").slice(0, COMPARED_TITLE_LENGTH);
}

/** Returns the date as stated and as read, in which equal dates are the same text. */
function dateOf(record: CatalogRecord) {
  const stated = dateTextOf(record["publish_date"]).trim();
  if (stated === "") return undefined;
  const [date] = publicationDatesOf(record);
  const { year, lastYear } = date ?? {};
  return { stated, year, read: date === undefined ? stated : formatIsoDate(date), lastYear };
}

/** Returns the country code. Q333: some sources pad the code with blanks. */
function countryOf(value: Json | undefined): string | undefined {
  const country = (textOf(value) ?? "").trim();
  return NO_COUNTRY.has(country) ? undefined : country;
}

function publishersOf(record: CatalogRecord): ComparedPublisher[] {
  return stringsOf(record["publishers"])
    .slice(0, COMPARED_NAMES_MAX)
    .map((publisher) => toMatchText(publisher.slice(0, COMPARED_NAME_LENGTH)))
    .filter((name) => name !== "")
    .map((name) => ({ name: new WordedText(name), squeezed: name.replaceAll(" ", "") }));
}

function namesOf(authors: Json | undefined): ComparedName[] | undefined {
  if (!Array.isArray(authors)) return undefined;
  return authors.filter(isObject).flatMap((author) => {
    const written = (textOf(author["name"]) ?? "").slice(0, COMPARED_NAME_LENGTH);
    if (written === "") return [];
    const name = toMatchText(written);
    const dates = datesOf(author);
    const dated = dates === "" ? name : toMatchText(`${written} ${dates}`);
    return [{ written: new WordedText(written), name, dated }];
  });
}

function datesOf({ date, birth_date: birth, death_date: death }: CatalogRecord): string {
  const single = textOf(date);
  if (single !== undefined) return single;
  const [born, died] = [textOf(birth), textOf(death)];
  return born === undefined && died === undefined ? "" : `${born ?? ""}-${died ?? ""}`;
}

function memoize<Value>(compute: () => Value): () => Value {
  let memo: { readonly value: Value } | undefined;
  return () => {
    memo ??= { value: compute() };
    return memo.value;
  };
}
