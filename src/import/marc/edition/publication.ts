import type { DataField } from "../record.ts";
import { type MarcFields, type Members, contents, filled, lowerValues, put, values } from "./fields.ts";
import { NAME_ENDS, distinct, trimmer } from "./text.ts";

const PLACE_ENDS = trimmer(" /.,;:");
const BRACKETS = trimmer("[]");
const PAGINATION_ENDS = trimmer(" ,:;");
const SERIES_END_CHARACTERS = ".,; ";
const SERIES_TAGS = ["440", "490", "830"];
/** Maximum plausible number of pages. */
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

function putPublishers(members: Members, found: readonly DataField[]): void {
  const publishers = found.flatMap((field) => contents(field, "b")).map(publisher);
  const places = found.flatMap((field) => contents(field, "a")).map(place);
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
