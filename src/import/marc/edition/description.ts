import type { TextKey } from "../../../catalog/texts.ts";
import { type DataField, MarcError } from "../record.ts";
import {
  type MarcFields,
  type Members,
  contentsOf,
  dropEmpty,
  firstSubfield,
  isLower,
  lowerValues,
  putMember,
  subfieldValues,
} from "./fields.ts";
import { trimNameEnds, bracketedTextOf, distinctOf, joinParts, withoutFinalDot } from "./text.ts";
import { trimmerOf } from "../../../catalog/bytes.ts";
import { sortingTitleOf } from "../../../search/documents/titles.ts";

const trimCommas = trimmerOf(",");
const trimSpaces = trimmerOf(" ");
const REFERENCES = new Set(["See", "See also"]);

/**
 * Adds title, subtitle, statement of responsibility, form, work titles and other titles. Throws MarcError if the record
 * has no title at all, or only refers to another record.
 */
export function putTitleMembers(members: Members, fields: MarcFields): void {
  const ofWork = workTitlesOf(fields);
  const others: string[] = [];
  const field = fields.of("245")[0] ?? fields.of("740")[0];
  const title = field && parseMainTitle(field);
  if (field && title) others.push(...putTitle(members, fields, { field, title }));
  else {
    // Q313: the work title is used as the title; further ones remain work titles.
    const substitute = ofWork.shift();
    if (substitute === undefined) throw new MarcError("no-title", missingTitle(fields));
    members["title"] = substitute;
  }
  putMember(members, "work_titles", ofWork);
  putMember(members, "other_titles", [...others, ...dropEmpty(otherTitlesOf(fields))]);
}

/** UNIMARC has its title in 200, which MARC 21 does not have. */
function missingTitle(fields: MarcFields): TextKey {
  const isUnimarc = fields.of("200").some((field) => subfieldValues(field, "a").length > 0);
  return isUnimarc ? "marc.unimarc" : "marc.no_title";
}

interface MainTitle {
  text: string;
  rest: string[];
}

function parseMainTitle(field: DataField): MainTitle | undefined {
  const rest = subfieldValues(field, "bnps");
  const main = contentsOf(field, "a");
  const text = joinParts(main.length > 0 ? main : rest.splice(0, 1));
  if (REFERENCES.has(text)) {
    throw new MarcError("see-also-title", "marc.see_also", { title: text });
  }
  if (text.trim() !== "") return { text, rest };
  const whole = joinParts(lowerValues(field));
  return whole.trim() === "" ? undefined : { text: whole, rest };
}

/** Adds the title data of a field. Returns the unused title, if there is one. */
function putTitle(
  members: Members,
  fields: MarcFields,
  { field, title }: { field: DataField; title: MainTitle },
): string[] {
  const link = firstSubfield(field, "6");
  const linked = link === undefined ? undefined : fields.findLinked("245", link);
  const original = linked && joinParts(subfieldValues(linked, "a"));
  members["title"] = original || title.text;
  putMember(
    members,
    "title_article",
    articleOf(linked && original ? linked : field, String(members["title"])),
  );

  putMember(members, "subtitle", subtitleOf(title.rest, linked));
  putMember(members, "by_statement", withoutFinalDot(contentsOf(field, "c").join(" ")));
  const form = trimSpaces(contentsOf(field, "h").join(" "));
  putMember(members, "physical_format", bracketedTextOf(form) ?? form);
  // Q314: the title in its original script is the title; the romanised one comes first among the other titles.
  return original ? [title.text] : [];
}

const BLANK_AT_END = /[\s'’ʼ-]$/;

/** Returns the article at the start of a title if marks or the second indicator show one that its words do not. */
function articleOf(field: DataField, title: string): string | undefined {
  // The second indicator of 740 is another one.
  const stated = field.tag === "740" ? "" : title.slice(0, Number(field.ind2) || 0);
  const article = field.article ?? (BLANK_AT_END.test(stated) ? stated : "");
  const isNews = sortingTitleOf(title, undefined, article) !== sortingTitleOf(title, undefined);
  return field.article ?? (isNews ? article : undefined);
}

function subtitleOf(rest: readonly string[], linked: DataField | undefined): string | undefined {
  const parts = rest.length > 0 || !linked ? rest : subfieldValues(linked, "bnps");
  const text = joinParts(parts, " : ");
  return bracketedTextOf(text) === undefined ? text : undefined;
}

function workTitlesOf(fields: MarcFields): string[] {
  const uniform = fields
    .of("240")
    .map((field) => withoutFinalDot(trimCommas(subfieldValues(field, "amnpr").join(" "))));
  const headings = fields.of("130").map((field) => joinParts(lowerValues(field, "n")));
  return distinctOf(dropEmpty([...uniform, ...headings]));
}

function otherTitlesOf(fields: MarcFields): string[] {
  return [
    ...fields.of("246").map((field) => subfieldValues(field, "a").join(" ")),
    ...fields.of("730").map((field) => lowerValues(field).join(" ")),
    ...fields.of("740").map((field) => subfieldValues(field, "apn").join(" ")),
  ];
}

const trimPlaceEnds = trimmerOf(" /.,;:");
const trimBrackets = trimmerOf("[]");
const trimPaginationEnds = trimmerOf(" ,:;");
const SERIES_END_CHARACTERS = ".,; ";
const SERIES_TAGS = ["440", "490", "830"];
const PAGES_MAX = 49_999;

export function putPublicationMembers(members: Members, fields: MarcFields): void {
  putPublishers(members, imprintsOf(fields));
  const edition = fields.of("250").flatMap((field) => lowerValues(field));
  putMember(members, "edition_name", trimBrackets(edition.join(" ")));
  const extent = fields.of("300").flatMap((field) => subfieldValues(field, "a"));
  putMember(members, "pagination", trimPaginationEnds(extent.join(" ")));
  putMember(members, "number_of_pages", pageCountOf(extent));
  putMember(
    members,
    "series",
    distinctOf(SERIES_TAGS.flatMap((tag) => dropEmpty(fields.of(tag).map(seriesOf)))),
  );
}

/** Returns all 260; without any only the first 264 (Q312), or an unlinked 260 in another script. */
function imprintsOf(fields: MarcFields): readonly DataField[] {
  const old = fields.of("260");
  if (old.length > 0) return old;
  const [current] = fields.of("264");
  const imprint = current ?? fields.findLinked("260", "880");
  return imprint ? [imprint] : [];
}

function putPublishers(members: Members, imprintFields: readonly DataField[]): void {
  const publishers = imprintFields.flatMap((field) => contentsOf(field, "b")).map(toPublisher);
  const places = imprintFields.flatMap((field) => contentsOf(field, "a")).map(toPlace);
  putMember(members, "publishers", dropEmpty(publishers));
  if (places[0]) putMember(members, "publish_places", dropEmpty(places));
}

function toPublisher(text: string): string {
  const name = trimNameEnds(text);
  return name.slice(0, 3).toLowerCase() === "s.n" ? "[s.n.]" : name;
}

function toPlace(text: string): string {
  let name = trimPlaceEnds(text);
  if (name.length > 1 && name.startsWith("[") && name.endsWith("]")) name = name.slice(1, -1);
  if (name.split("[").length !== name.split("]").length) name = trimBrackets(name);
  return name.slice(0, 3).toLowerCase() === "s.l" ? "[s.l.]" : name;
}

/** Returns the largest plausible number of pages. Single digits are ignored. */
function pageCountOf(extent: readonly string[]): number | undefined {
  // `1,204` is one number, but `xii,204` contains another: both readings count.
  const readings = extent.flatMap((text) => [text, text.replaceAll(",", "")]);
  const numbers = readings.flatMap((text) => text.match(/\d{2,}/g) ?? []).map(Number);
  return numbers.filter((number) => number <= PAGES_MAX).sort((a, b) => b - a)[0];
}

function seriesOf(field: DataField): string {
  return dropEmpty(subfieldValues(field, "av").map(withoutSeriesEnd)).join(" -- ");
}

function withoutSeriesEnd(text: string): string {
  let end = text.length;
  while (end > 0 && SERIES_END_CHARACTERS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const CHAPTER_LENGTH_MAX = 2048;
const BETWEEN_CHAPTERS = "--";
const OTHER_SEPARATORS = [" - ", "; ", " / "];
const trimSlashes = trimmerOf("/");
const trimDashes = trimmerOf(" -");

export function tableOfContentsOf(fields: MarcFields): Members[] {
  const titles: string[] = [];
  for (const field of fields.of("505")) addContents(titles, field);
  return titles.filter((title) => title !== "").map((title) => ({ title, type: "/type/toc_item" }));
}

function addContents(titles: string[], field: DataField): void {
  let entry: string[] = [];
  for (const [code, value] of field.subfields) {
    if (code === "a") {
      for (const chapter of splitChapters(value)) titles.push(chapter);
    } else if (code === "t") {
      if (entry.length > 0) titles.push(entry.join(" -- "));
      const title = trimSlashes(value);
      entry = isLong(value) ? splitTrimmed(title, BETWEEN_CHAPTERS) : [title];
    } else if (isLower(code)) entry.push(trimDashes(value));
  }
  // Q318: the last title of a field is joined with another separator than those before it.
  if (entry.length > 0) titles.push(entry.join("-- "));
}

/** Splits a text into chapters at dashes. If a chapter is too long, uses the first separator that avoids this. */
function splitChapters(text: string): string[] {
  let parts = splitTrimmed(text, BETWEEN_CHAPTERS);
  for (const separator of OTHER_SEPARATORS) {
    if (!parts.some(isLong)) return parts;
    parts = splitTrimmed(text, separator);
  }
  return parts;
}

function splitTrimmed(text: string, separator: string): string[] {
  return text.split(separator).map((part) => part.trim());
}

/** Returns true if the text is too long for a title. Counts characters, because some take two UTF-16 units. */
function isLong(text: string): boolean {
  if (text.length <= CHAPTER_LENGTH_MAX) return false;
  if (text.length > 2 * CHAPTER_LENGTH_MAX) return true;
  return [...text].length > CHAPTER_LENGTH_MAX;
}

const BLANK_LINE = "\n\n";
const UNNAMED_LINK = "External source";

export function putDescriptionMembers(members: Members, fields: MarcFields): void {
  const byTag = fields.of("notes").toSorted((a, b) => Number(a.tag) - Number(b.tag));
  const notes = byTag.map((field) => lowerValues(field).join(" ").trim());
  const textsOf = (tag: string): string[] =>
    dropEmpty(fields.of(tag).flatMap((field) => subfieldValues(field, "a")));
  putMember(members, "notes", dropEmpty(notes).join(BLANK_LINE));
  putMember(members, "description", textsOf("520").join(BLANK_LINE));
  putMember(members, "location", distinctOf(textsOf("852")));
  putMember(members, "links", fields.of("856").flatMap(linksOf));
}

function linksOf(field: DataField): Members[] {
  const urls = dropEmpty(subfieldValues(field, "u"));
  if (urls.length === 0) return [];
  const named =
    firstSubfield(field, "y") ??
    firstSubfield(field, "3") ??
    firstSubfield(field, "z") ??
    firstSubfield(field, "x");
  const title = named?.trim() || UNNAMED_LINK;
  return urls.map((url) => ({ url, title }));
}
