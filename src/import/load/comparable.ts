import { matchText, withoutArticle } from "../../catalog/matching/normal-form.ts";
import { type CatalogRecord, type Json, isObject, stringsOf, textOf } from "../../catalog/record.ts";
import { listOf } from "../../search/documents/values.ts";
import { isbnsOf } from "./edition-ways.ts";

/** A text that may be compared word by word. Most are not: the words are looked for when they are asked for. */
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

/** What is looked at of a title, and of a name or a publisher, in UTF-16 units. */
const COMPARED_TITLE_LENGTH = 500;
const COMPARED_NAME_LENGTH = 200;
/** Publishers that are compared, and authors whose names are compared word by word: the first ones. */
export const COMPARED_NAMES = 20;
const SHORT_TITLE_LENGTH = 25;
/** Countries of which nothing is known. */
const NO_COUNTRY: ReadonlySet<string> = new Set(["", "|||"]);

/** A name as it is compared. */
export interface ComparedName {
  /** As it is written. */
  readonly written: WordedText;
  /** `matchText` of the name. */
  readonly name: string;
  /** `matchText` of the name and the dates. */
  readonly dated: string;
}

/** A publisher as it is compared. */
export interface ComparedPublisher {
  /** `matchText` of it. */
  readonly name: WordedText;
  /** Without blanks. */
  readonly squeezed: string;
}

/** One side of a comparison. What a record lacks is undefined, but the ISBNs are empty. */
export type Comparable = ReturnType<typeof comparable>;

/** The sides of a comparison are records with members of an edition, and with whole authors. */
export function comparable(record: CatalogRecord) {
  const full = fullTitle(record);
  const title = matchText(full);
  return {
    /** `matchText` of title and subtitle. */
    title,
    shortTitle: Array.from(title).slice(0, SHORT_TITLE_LENGTH).join(""),
    /** The full title and its normal forms, each once. */
    titles: titleVariants(full).map((text) => new WordedText(text)),
    isbns: isbnsOf(record),
    lccn: listOf(stringsOf(record["lccn"])),
    date: dateOf(record["publish_date"]),
    country: countryOf(record["publish_country"]),
    pages: typeof record["number_of_pages"] === "number" ? record["number_of_pages"] : undefined,
    publishers: listOf(publishersOf(record)),
    /** These are looked at when all else fits so far. */
    authors: once(() => namesOf(record["authors"])),
    contribs: once(() => namesOf(record["contribs"])),
  };
}

/** A full title and the forms in which others may have it, each once. */
export function titleVariants(full: string): string[] {
  const title = matchText(full);
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

function fullTitle(record: CatalogRecord): string {
  const [title, subtitle] = [textIn(record, "title"), textIn(record, "subtitle")];
  return (subtitle === "" ? title : `${title} ${subtitle}`).slice(0, COMPARED_TITLE_LENGTH);
}

function textIn(record: CatalogRecord, name: string): string {
  return (textOf(record[name]) ?? "").slice(0, COMPARED_TITLE_LENGTH);
}

function dateOf(date: Json | undefined): string | undefined {
  const text = typeof date === "number" ? String(date) : textOf(date);
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** Q333: some sources have the code with blanks at the end. */
function countryOf(value: Json | undefined): string | undefined {
  const country = (textOf(value) ?? "").trim();
  return NO_COUNTRY.has(country) ? undefined : country;
}

function publishersOf(record: CatalogRecord): ComparedPublisher[] {
  return stringsOf(record["publishers"])
    .slice(0, COMPARED_NAMES)
    .map((publisher) => matchText(publisher.slice(0, COMPARED_NAME_LENGTH)))
    .filter((name) => name !== "")
    .map((name) => ({ name: new WordedText(name), squeezed: name.replaceAll(" ", "") }));
}

function namesOf(authors: Json | undefined): ComparedName[] | undefined {
  if (!Array.isArray(authors)) return undefined;
  return authors.filter(isObject).flatMap((author) => {
    const written = (textOf(author["name"]) ?? "").slice(0, COMPARED_NAME_LENGTH);
    if (written === "") return [];
    const name = matchText(written);
    const dates = datesOf(author);
    const dated = dates === "" ? name : matchText(`${written} ${dates}`);
    return [{ written: new WordedText(written), name, dated }];
  });
}

function datesOf({ date, birth_date: birth, death_date: death }: CatalogRecord): string {
  const own = textOf(date);
  if (own !== undefined) return own;
  const [born, died] = [textOf(birth), textOf(death)];
  return born === undefined && died === undefined ? "" : `${born ?? ""}-${died ?? ""}`;
}

/** Computes a value when it is first asked for. */
function once<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}
