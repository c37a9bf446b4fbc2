import { normalizeRemoteIds } from "../identifiers/author-numbers.ts";
import { isObject, keyOf, objectsOf, textOf, type CatalogRecord, type Json } from "../record.ts";
import {
  classificationMembersOf,
  parseFormIdentifiers,
  identifierMembersOf,
  formatIdentifiers,
  splitTitle,
} from "./form-texts.ts";
import { isBlankField, parseMembers } from "./form-members.ts";

const EDITION_FORM = {
  type: "/type/edition",
  rows: new Map([
    ["contributors", "name"],
    ["links", "url"],
    ["providers", "url"],
  ]),
};

/**
 * Returns new values of an edition's members from the fields `edition--*`, null for those to remove. Members that are
 * not in the form are kept. `initial` is the record that filled the form.
 */
export function parseEditionForm(fields: CatalogRecord, initial: CatalogRecord): CatalogRecord {
  const { identifiers, classifications, physical_dimensions: size, weight, translation, ...plain } = fields;
  const members = parseMembers(EDITION_FORM, plain, initial);
  Object.assign(members, splitTitleMember(members));
  if (size !== undefined) members["physical_dimensions"] = formatDimensions(size);
  if (weight !== undefined) members["weight"] = formatWeight(weight);
  // These members only apply to translations.
  if (translation !== undefined && translation !== "yes") {
    members["translation_of"] = null;
    members["translated_from"] = null;
  }
  if (isChangedField(identifiers, initial["identifiers"])) {
    Object.assign(
      members,
      identifierMembersOf(parseFormIdentifiers(identifiers), Array.isArray(identifiers)),
    );
  }
  if (isChangedField(classifications, initial["classifications"])) {
    Object.assign(
      members,
      classificationMembersOf(parseFormIdentifiers(classifications), Array.isArray(classifications)),
    );
  }
  return members;
}

/** Splits `Title: subtitle`, typed as one text, into two members, unless a subtitle was typed too. */
function splitTitleMember({ title, subtitle }: CatalogRecord): CatalogRecord {
  if (typeof title !== "string" || !isBlankField(subtitle)) return {};
  return splitTitle(title) ?? {};
}

function isChangedField(field: Json | undefined, initial: Json | undefined): field is Json {
  return field !== undefined && !(typeof field === "string" && field === formatIdentifiers(initial));
}

/** Formats `{height, width, depth, units}` as `9 x 3 x 2 inches`. */
function formatDimensions(size: Json): Json {
  if (!isObject(size)) return isBlankField(size) ? null : size;
  const numbers = [size["height"], size["width"], size["depth"]].filter((number) => !isBlankField(number));
  return numbers.length === 0 ? null : `${numbers.join(" x ")} ${String(size["units"] ?? "")}`.trim();
}

/** Formats `{value, units}` as `300 grams`. */
function formatWeight(weight: Json): Json {
  if (!isObject(weight)) return isBlankField(weight) ? null : weight;
  const { value, units = "" } = weight;
  return isBlankField(value) ? null : `${String(value)} ${String(units)}`.trim();
}

/** Key in a form for a record to create. */
export const NEW_KEY = "__new__";

/** New records of a form, besides the changed ones. They are referred to by position. */
export class NewRecords {
  readonly documents: CatalogRecord[] = [];

  /** Adds a record and returns a placeholder reference to it. */
  add(type: string, members: CatalogRecord): { key: string } {
    const place = this.documents.length;
    this.documents.push({ ...members, type: { key: type } });
    return { key: `/${NEW_KEY}/${place}` };
  }
}

const NUMBER = /^[a-z]{2}\d+[a-z]$/i;

/**
 * Reads the authors of a work in a form: `[{author: {key}, name}]`. A row with the key `__new__`, or with a name and no
 * key, creates an author; a row with neither is left out. Other data of an author's role is kept.
 */
export function parseAuthorRoles(
  rows: Json,
  initial: Json | undefined,
  newRecords: NewRecords,
): CatalogRecord[] {
  return parseParts({ rows, initial, member: "author" }, newRecords);
}

/** Reads the series of a work: `[{series: {key}, name, position, notes}]`; new ones as for authors. */
function parseSeries(rows: Json, initial: Json | undefined, newRecords: NewRecords): CatalogRecord[] {
  return parseParts({ rows, initial, member: "series" }, newRecords).map((part) =>
    Object.fromEntries(Object.entries(part).filter(([, value]) => value !== "")),
  );
}

function parseParts(
  { rows, initial, member }: { rows: Json; initial: Json | undefined; member: "author" | "series" },
  newRecords: NewRecords,
): CatalogRecord[] {
  return objectsOf(rows).flatMap(({ [member]: reference, name, ...more }) => {
    const key = recordKeyOf(reference, member === "author" ? "/authors/" : "/series/");
    const referenced = referenceOf(key, name, (newName) =>
      newRecords.add(`/type/${member}`, { name: newName }),
    );
    if (referenced === undefined) return [];
    const before = objectsOf(initial).find((row) => keyOf(row[member]) === referenced.key);
    return [{ ...before, ...more, [member]: { key: referenced.key } }];
  });
}

function isSameRows(rows: Json, initial: Json | undefined, member: "author" | "series"): boolean {
  const before = objectsOf(initial);
  const filledRows = objectsOf(rows).filter(
    (row) => recordKeyOf(row[member], "") !== "" || nameTextOf(row["name"]) !== "",
  );
  if (filledRows.length !== before.length) return false;
  return filledRows.every((row, index) => {
    const other = before[index] ?? {};
    const { name: _name, ...members } = row;
    return Object.entries(members).every(([part, value]) =>
      part === member ? recordKeyOf(value, "") === keyOf(other[part]) : value === (other[part] ?? ""),
    );
  });
}

function referenceOf(
  key: string,
  name: Json | undefined,
  make: (name: string) => { key: string },
): { key: string } | undefined {
  if (key !== "" && key !== NEW_KEY) return { key };
  const text = nameTextOf(name);
  // A new record without a name is rejected on creation, with a specific message.
  return text === "" && key === "" ? undefined : make(text);
}

function recordKeyOf(value: Json | undefined, folder: string): string {
  const text = isObject(value) ? value["key"] : value;
  const key = typeof text === "string" ? text.trim() : "";
  return NUMBER.test(key) ? folder + key.toUpperCase() : key;
}

function nameTextOf(name: Json | undefined): string {
  return typeof name === "string" ? name.trim() : "";
}

const WORK_FORM = {
  type: "/type/work",
  rows: new Map([
    ["excerpts", "excerpt"],
    ["links", "url"],
  ]),
};

/**
 * Returns new values of a work's members from the fields `work--*`, null for those to remove. Members that are not in
 * the form are kept. New authors and series go to `newRecords`. `initial` is the record that filled the form.
 */
export function parseWorkForm(
  fields: CatalogRecord,
  initial: CatalogRecord,
  newRecords: NewRecords,
): CatalogRecord {
  const { authors, series, identifiers, ...plain } = fields;
  const members = parseMembers(WORK_FORM, plain, initial);
  Object.assign(members, splitTitleMember(members));
  if (authors !== undefined && !isSameRows(authors, initial["authors"], "author")) {
    members["authors"] = parseAuthorRoles(authors, initial["authors"], newRecords);
  }
  if (series !== undefined && !isSameRows(series, initial["series"], "series")) {
    members["series"] = parseSeries(series, initial["series"], newRecords);
  }
  if (identifiers !== undefined && identifiers !== formatIdentifiers(initial["identifiers"])) {
    const groups = Map.groupBy(parseFormIdentifiers(identifiers), ({ name }) => name);
    const sources = [...groups].map(([name, list]) => [name, list.map(({ value }) => value)] as const);
    members["identifiers"] = sources.length === 0 ? null : Object.fromEntries(sources);
  }
  return members;
}

const AUTHOR_FORM = { type: "/type/author", rows: new Map([["links", "url"]]) };

/** Returns new values of an author's members from `author--*`, null to remove; `initial` filled the form. */
export function parseAuthorForm(fields: CatalogRecord, initial: CatalogRecord): CatalogRecord {
  const { remote_ids: ids, ...plain } = fields;
  const members = parseMembers(AUTHOR_FORM, plain, initial);
  if (ids !== undefined && ids !== formatRemoteIds(initial["remote_ids"])) {
    const list = parseFormIdentifiers(ids).map(({ name, value }) => [name, value] as const);
    members["remote_ids"] = list.length === 0 ? null : normalizeRemoteIds(Object.fromEntries(list));
  }
  return members;
}

/** Formats an author's identifiers as lines `name: value`, with one value per name. */
export function formatRemoteIds(value: Json | undefined): string {
  if (!isObject(value)) return "";
  return Object.entries(value)
    .flatMap(([name, id]) => (textOf(id) === undefined ? [] : [`${name}: ${textOf(id)}`]))
    .join("\n");
}
