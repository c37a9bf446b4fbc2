import type { Text } from "../texts.ts";
import { trimTexts } from "../editing/form-texts.ts";
import { textOf, type Json, type CatalogRecord } from "../record.ts";
import {
  annotationOf,
  seedKeyOf,
  LIST_DESCRIPTION_LENGTH,
  LIST_NAME_LENGTH,
  LIST_SEEDS_MAX,
  LIST_TAGS_MAX,
  LIST_TAG_LENGTH,
  SERIES_SEEDS_MAX,
  normalizeSeeds,
} from "./seeds.ts";
import { documentFailure, type WriteFailure } from "../editing/failure.ts";
import { TOO_MANY_SEEDS, TOO_MANY_WORKS } from "./list-change.ts";

const NEW_LINE = /\r\n|\n/;
const PARTS = /\\(.)|\|/gs;
const SPECIAL = /[\\|\n]/g;

/**
 * Parses seeds typed into a form: one per line, followed by position and notes after bars, `/works/OL1W | 2 | Read this
 * first`; or several per line, separated by commas. The seeds are not normalised yet.
 */
export function parseSeeds(text: string): Json[] {
  return text.split(NEW_LINE).flatMap((line): Json[] => {
    const parts = splitParts(line);
    if (parts.length === 1) return trimTexts(line.split(","));
    const [key = "", position = "", ...notes] = parts;
    if (parts.every((part) => part === "")) return [];
    return [{ thing: { key }, position, notes: notes.join(" | ") }];
  });
}

/** Formats stored seeds for `parseSeeds`. */
export function formatSeeds(seeds: readonly Json[]): string {
  return seeds.map(formatLine).join("\n");
}

function formatLine(seed: Json): string {
  const key = seedKeyOf(seed) ?? "";
  const { position = "", notes = "" } = annotationOf(seed);
  if (notes !== "") return [key, position, notes].map(escapeText).join(" | ");
  if (position !== "" || key.includes(",")) return `${escapeText(key)} | ${escapeText(position)}`.trim();
  return escapeText(key);
}

function splitParts(line: string): string[] {
  const parts: string[] = [];
  let part = "";
  let end = 0;
  for (const match of line.matchAll(PARTS)) {
    part += line.slice(end, match.index);
    end = match.index + match[0].length;
    if (match[1] === undefined) {
      parts.push(part.trim());
      part = "";
    } else part += match[1] === "n" ? "\n" : match[1];
  }
  return [...parts, (part + line.slice(end)).trim()];
}

function escapeText(text: string): string {
  return text.replace(SPECIAL, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}

export type ListType = "/type/list" | "/type/series";

export interface ListForm {
  readonly name: string;
  readonly description: string;
  /** Undefined if not sent; existing tags then stay. */
  readonly tags: readonly string[] | undefined;
  readonly seeds: readonly Json[];
}

/** Context of a form. `key` is the list's, for the location of failures. */
interface ListFormContext {
  readonly key: string;
  readonly type: ListType;
  readonly prefix: string;
  /** Current seeds of the list, which are accepted even if invalid. */
  readonly stored?: readonly Json[];
  readonly mayBeNameless?: boolean;
}

/** Parses a form or JSON body. Reports the first failure of each member. Pure function. */
export function readListForm(
  body: CatalogRecord,
  { key, type, prefix, stored, mayBeNameless = false }: ListFormContext,
): { readonly form: ListForm; readonly failures: readonly WriteFailure[] } {
  const failures: WriteFailure[] = [];
  const fail = (property: string, text: Text): void =>
    void failures.push(documentFailure(text, { key, property }));
  const isSeries = type === "/type/series";
  const name = (textOf(body["name"]) ?? "").trim();
  if (name === "" && !mayBeNameless) {
    fail("name", { key: isSeries ? "bad_data.series_name" : "bad_data.list_name" });
  }
  if (name.length > LIST_NAME_LENGTH) fail("name", tooLong(LIST_NAME_LENGTH));
  const description = (textOf(body["description"]) ?? "").trim();
  if (description.length > LIST_DESCRIPTION_LENGTH) fail("description", tooLong(LIST_DESCRIPTION_LENGTH));
  const tags = parseTags(body["tags"]);
  const isTooMuch = tags?.some((tag) => tag.length > LIST_TAG_LENGTH) === true;
  if (isTooMuch || (tags?.length ?? 0) > LIST_TAGS_MAX) {
    fail("tags", { key: "bad_data.tags", values: { tags: LIST_TAGS_MAX, most: LIST_TAG_LENGTH } });
  }
  const seeds = normalizeSeeds(toSeedInputs(body["seeds"]), prefix, stored);
  if ("failure" in seeds) fail("seeds", seeds.failure);
  else if (isSeries && seeds.seeds.length > SERIES_SEEDS_MAX) fail("seeds", TOO_MANY_WORKS);
  else if (seeds.seeds.length > LIST_SEEDS_MAX) fail("seeds", TOO_MANY_SEEDS);
  return { form: { name, description, tags, seeds: "failure" in seeds ? [] : seeds.seeds }, failures };
}

/** Returns the elements of an array, the lines of a text, or nothing if absent. */
export function toSeedInputs(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  return typeof value === "string" ? parseSeeds(value) : [value];
}

/** Parses tags from an array, or a text with commas. Trims them and removes duplicates. */
function parseTags(value: Json | undefined): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const texts = Array.isArray(value)
    ? value.map((tag) => textOf(tag) ?? "")
    : (textOf(value) ?? "").split(",");
  return distinctTextsOf(texts);
}

/** Trims texts and removes empty and repeated ones. */
export function distinctTextsOf(texts: readonly string[]): string[] {
  return [...new Set(trimTexts(texts))];
}

/** Applies a form to the record of a list. Members that the form does not mention stay unchanged. */
export function buildListRecord(type: ListType, form: ListForm, before: CatalogRecord = {}): CatalogRecord {
  const { name, description, tags, seeds } = form;
  return {
    ...before,
    type: { key: type },
    name,
    description: description === "" ? null : { type: "/type/text", value: description },
    ...(tags === undefined ? {} : { tags: [...tags] }),
    // Q258: the members of a series are stored in its works.
    ...(type === "/type/series" ? {} : { seeds: [...seeds] }),
  };
}

function tooLong(most: number): Text {
  return { key: "bad_data.characters", values: { most } };
}
