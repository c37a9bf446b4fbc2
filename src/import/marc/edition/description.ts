import { type DataField, MarcError } from "../record.ts";
import {
  type MarcFields,
  type Members,
  contents,
  filled,
  first,
  isLower,
  lowerValues,
  put,
  values,
} from "./fields.ts";
import { NAME_ENDS, bracketed, distinct, joinedParts, trimmer, withoutFinalDot } from "./text.ts";

const COMMAS = trimmer(",");
const SPACES = trimmer(" ");
const REFERENCES = new Set(["See", "See also"]);

/**
 * Adds title, subtitle, statement of responsibility, form, work titles and other titles. Throws MarcError if the record
 * has no title at all, or only refers to another record.
 */
export function putTitleMembers(members: Members, fields: MarcFields): void {
  const ofWork = workTitles(fields);
  const others: string[] = [];
  const field = fields.of("245")[0] ?? fields.of("740")[0];
  const title = field && mainTitle(field);
  if (field && title) others.push(...putOfField(members, fields, { field, title }));
  else {
    // Q313: the work title is used as the title; further ones remain work titles.
    const substitute = ofWork.shift();
    if (substitute === undefined) throw new MarcError("no-title", "The record has no title.");
    members["title"] = substitute;
  }
  put(members, "work_titles", ofWork);
  put(members, "other_titles", [...others, ...filled(otherTitles(fields))]);
}

interface MainTitle {
  text: string;
  /** Parts after the title: subtitle, number and name of a part. */
  rest: string[];
}

function mainTitle(field: DataField): MainTitle | undefined {
  const rest = values(field, "bnps");
  const main = contents(field, "a");
  const text = joinedParts(main.length > 0 ? main : rest.splice(0, 1));
  if (REFERENCES.has(text)) {
    throw new MarcError("see-also-title", `The title is "${text}": the record refers to another one.`);
  }
  if (text.trim() !== "") return { text, rest };
  const whole = joinedParts(lowerValues(field));
  return whole.trim() === "" ? undefined : { text: whole, rest };
}

/** Adds the title data of a field. Returns the unused title, if there is one. */
function putOfField(
  members: Members,
  fields: MarcFields,
  { field, title }: { field: DataField; title: MainTitle },
): string[] {
  const link = first(field, "6");
  const linked = link === undefined ? undefined : fields.linked("245", link);
  const original = linked && joinedParts(values(linked, "a"));
  members["title"] = original || title.text;

  put(members, "subtitle", subtitle(title.rest, linked));
  put(members, "by_statement", withoutFinalDot(contents(field, "c").join(" ")));
  const form = SPACES(contents(field, "h").join(" "));
  put(members, "physical_format", bracketed(form) ?? form);
  // Q314: the title in its original script is the title; the romanised one comes first among the other titles.
  return original ? [title.text] : [];
}

function subtitle(rest: readonly string[], linked: DataField | undefined): string | undefined {
  const parts = rest.length > 0 || !linked ? rest : values(linked, "bnps");
  const text = joinedParts(parts, " : ");
  return bracketed(text) === undefined ? text : undefined;
}

function workTitles(fields: MarcFields): string[] {
  const uniform = fields.of("240").map((field) => withoutFinalDot(COMMAS(values(field, "amnpr").join(" "))));
  const headings = fields.of("130").map((field) => joinedParts(lowerValues(field, "n")));
  return distinct(filled([...uniform, ...headings]));
}

function otherTitles(fields: MarcFields): string[] {
  return [
    ...fields.of("246").map((field) => values(field, "a").join(" ")),
    ...fields.of("730").map((field) => lowerValues(field).join(" ")),
    ...fields.of("740").map((field) => values(field, "apn").join(" ")),
  ];
}

const PLACE_ENDS = trimmer(" /.,;:");
const BRACKETS = trimmer("[]");
const PAGINATION_ENDS = trimmer(" ,:;");
const SERIES_END_CHARACTERS = ".,; ";
const SERIES_TAGS = ["440", "490", "830"];
const PAGES_MAX = 49_999;

/** Adds publisher, edition, extent and series. */
export function putPublicationMembers(members: Members, fields: MarcFields): void {
  putPublishers(members, imprints(fields));
  const edition = fields.of("250").flatMap((field) => lowerValues(field));
  put(members, "edition_name", BRACKETS(edition.join(" ")));
  const extent = fields.of("300").flatMap((field) => values(field, "a"));
  put(members, "pagination", PAGINATION_ENDS(extent.join(" ")));
  put(members, "number_of_pages", pages(extent));
  put(members, "series", distinct(SERIES_TAGS.flatMap((tag) => filled(fields.of(tag).map(series)))));
}

/**
 * Returns all 260. If there are none, returns only the first 264 (Q312), or a 260 in another script without a linking
 * field.
 */
function imprints(fields: MarcFields): readonly DataField[] {
  const old = fields.of("260");
  if (old.length > 0) return old;
  const [current] = fields.of("264");
  const imprint = current ?? fields.linked("260", "880");
  return imprint ? [imprint] : [];
}

function putPublishers(members: Members, imprintFields: readonly DataField[]): void {
  const publishers = imprintFields.flatMap((field) => contents(field, "b")).map(publisher);
  const places = imprintFields.flatMap((field) => contents(field, "a")).map(place);
  put(members, "publishers", filled(publishers));
  if (places[0]) put(members, "publish_places", filled(places));
}

function publisher(text: string): string {
  const name = NAME_ENDS(text);
  return name.slice(0, 3).toLowerCase() === "s.n" ? "[s.n.]" : name;
}

function place(text: string): string {
  let name = PLACE_ENDS(text);
  if (name.length > 1 && name.startsWith("[") && name.endsWith("]")) name = name.slice(1, -1);
  if (name.split("[").length !== name.split("]").length) name = BRACKETS(name);
  return name.slice(0, 3).toLowerCase() === "s.l" ? "[s.l.]" : name;
}

/** Returns the largest plausible number of pages. Single digits are ignored. */
function pages(extent: readonly string[]): number | undefined {
  // `1,204` is one number, but `xii,204` contains another: both readings count.
  const readings = extent.flatMap((text) => [text, text.replaceAll(",", "")]);
  const numbers = readings.flatMap((text) => text.match(/\d{2,}/g) ?? []).map(Number);
  return numbers.filter((number) => number <= PAGES_MAX).sort((a, b) => b - a)[0];
}

function series(field: DataField): string {
  return filled(values(field, "av").map(withoutSeriesEnd)).join(" -- ");
}

function withoutSeriesEnd(text: string): string {
  let end = text.length;
  while (end > 0 && SERIES_END_CHARACTERS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const CHAPTER_LENGTH_MAX = 2048;
const BETWEEN_CHAPTERS = "--";
/** Separators of chapters in texts without dashes. */
const OTHER_SEPARATORS = [" - ", "; ", " / "];
const SLASHES = trimmer("/");
const DASHES = trimmer(" -");

/** Returns the table of contents from all fields 505. */
export function tableOfContents(fields: MarcFields): Members[] {
  const titles: string[] = [];
  for (const field of fields.of("505")) addContents(titles, field);
  return titles.filter((title) => title !== "").map((title) => ({ title, type: "/type/toc_item" }));
}

function addContents(titles: string[], field: DataField): void {
  /** Title with the parts after it: author, location. */
  let entry: string[] = [];
  for (const [code, value] of field.subfields) {
    if (code === "a") {
      for (const chapter of chapters(value)) titles.push(chapter);
    } else if (code === "t") {
      if (entry.length > 0) titles.push(entry.join(" -- "));
      const title = SLASHES(value);
      entry = isLong(value) ? splitTrimmed(title, BETWEEN_CHAPTERS) : [title];
    } else if (isLower(code)) entry.push(DASHES(value));
  }
  // Q318: the last title of a field is joined with another separator than those before it.
  if (entry.length > 0) titles.push(entry.join("-- "));
}

/** Splits a text into chapters at dashes. If a chapter is too long, uses the first separator that avoids this. */
function chapters(text: string): string[] {
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

/** Adds notes, description, location and links. */
export function putDescriptionMembers(members: Members, fields: MarcFields): void {
  const byTag = fields.of("notes").toSorted((one, other) => Number(one.tag) - Number(other.tag));
  const notes = byTag.map((field) => lowerValues(field).join(" ").trim());
  const textsOf = (tag: string): string[] => filled(fields.of(tag).flatMap((field) => values(field, "a")));
  put(members, "notes", filled(notes).join(BLANK_LINE));
  put(members, "description", textsOf("520").join(BLANK_LINE));
  put(members, "location", distinct(textsOf("852")));
  put(members, "links", fields.of("856").flatMap(links));
}

function links(field: DataField): Members[] {
  const urls = filled(values(field, "u"));
  if (urls.length === 0) return [];
  const named = first(field, "y") ?? first(field, "3") ?? first(field, "z") ?? first(field, "x");
  const title = named?.trim() || UNNAMED_LINK;
  return urls.map((url) => ({ url, title }));
}
