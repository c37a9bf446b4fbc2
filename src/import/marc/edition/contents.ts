import type { DataField } from "../record.ts";
import { type MarcFields, type Members, filled, first, isLower, lowerValues, put, values } from "./fields.ts";
import { distinct, trimmer } from "./text.ts";

/** Maximum plausible length of a chapter title, in characters. */
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
      entry = isLong(value) ? separated(title, BETWEEN_CHAPTERS) : [title];
    } else if (isLower(code)) entry.push(DASHES(value));
  }
  // Q318: the last title of a field is joined with another separator than those before it.
  if (entry.length > 0) titles.push(entry.join("-- "));
}

/** Splits a text into chapters at dashes. If a chapter is too long, uses the first separator that avoids this. */
function chapters(text: string): string[] {
  let found = separated(text, BETWEEN_CHAPTERS);
  for (const separator of OTHER_SEPARATORS) {
    if (!found.some(isLong)) return found;
    found = separated(text, separator);
  }
  return found;
}

function separated(text: string, separator: string): string[] {
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
