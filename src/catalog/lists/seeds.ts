import { isObject, keyOf, textOf, type CatalogRecord, type Json } from "../record.ts";
import { DEFAULT_PREFIX, keyFromOlid, lastSegment } from "../keys.ts";

/** Most seeds of a list. */
export const LIST_SEEDS_MAX = 10_000;
/** Works of a series that are read, that its form holds, and that one call adds and removes. */
export const SERIES_SEEDS_MAX = 1000;
/** Longest name of a list or series, in UTF-16 units. */
export const LIST_NAME_LENGTH = 255;
/** Longest description of a list or series, in UTF-16 units. */
export const LIST_DESCRIPTION_LENGTH = 65_536;
/** Most tags of a list, and the longest of them in UTF-16 units. */
export const LIST_TAGS_MAX = 100;
export const LIST_TAG_LENGTH = 255;
/** Longest notes on a seed, longest position and longest subject string, in UTF-16 units. */
export const SEED_NOTES_LENGTH = 4096;
const SEED_POSITION_LENGTH = 255;
export const SEED_SUBJECT_LENGTH = 512;

// Aliases and no interfaces, so that they are JSON to the compiler too.

/** A record as a list holds it. */
type SeedReference = { readonly key: string };

/** What a list says about one of its seeds. */
export type SeedAnnotation = { readonly notes?: string; readonly position?: string };

/** A record with what the list says about it. */
type AnnotatedSeed = SeedAnnotation & { readonly thing: SeedReference };

/** A seed as lists store it: `{key}`, `{thing: {key}, notes, position}`, or `subject:love`. */
export type Seed = string | SeedReference | AnnotatedSeed;

/** What a seed can stand for. */
type SeedType = "author" | "edition" | "subject" | "work";

/** Beginnings of the four kinds of subject strings. */
const SUBJECT_SEED_PREFIXES = ["subject:", "place:", "person:", "time:"] as const;

const SUBJECTS_FOLDER = "/subjects/";
const FOLDERS: readonly (readonly [folder: string, type: SeedType])[] = [
  [SUBJECTS_FOLDER, "subject"],
  ["/works/", "work"],
  ["/books/", "edition"],
  ["/authors/", "author"],
];

/** What tells a stored seed from others: the subject string, `key` or `thing.key`; undefined for what is none. */
export function seedKey(seed: Json): string | undefined {
  const key = isObject(seed)
    ? (keyOf(seed) ?? keyOf(seed["thing"]))
    : typeof seed === "string"
      ? seed
      : undefined;
  return key === "" ? undefined : key;
}

/** What a seed's key stands for, by its shape alone; undefined for other records, such as lists. */
export function seedType(key: string): SeedType | undefined {
  if (!key.includes("/") || isSubjectSeed(key)) return "subject";
  return FOLDERS.find(([folder]) => key.startsWith(folder))?.[1];
}

/** True for `subject:…`, `place:…`, `person:…` and `time:…`. */
export function isSubjectSeed(key: string): boolean {
  return SUBJECT_SEED_PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** Notes and position of a stored seed; empty for those without. */
export function annotationOf(seed: Json): SeedAnnotation {
  if (!isObject(seed) || !isObject(seed["thing"])) return {};
  return buildAnnotation(textOf(seed["notes"]), positionTextOf(seed["position"]));
}

/** An annotation without its empty members. */
export function buildAnnotation(notes: string | undefined, position: string | undefined): SeedAnnotation {
  return {
    ...(notes === undefined || notes === "" ? {} : { notes }),
    ...(position === undefined || position === "" ? {} : { position }),
  };
}

/** The seeds of a list's record in their order; values that are no seed are left out. */
export function seedsOfRecord(record: CatalogRecord): Json[] {
  const { seeds } = record;
  return Array.isArray(seeds) ? seeds.filter((seed) => seedKey(seed) !== undefined) : [];
}

/** A position is a text; records of the early years may hold numbers. */
export function positionTextOf(position: Json | undefined): string | undefined {
  return typeof position === "number" ? String(position) : textOf(position);
}

/** What is wrong with a seed, in the words that clients know. */
export const EMPTY_SEED = "Seed key cannot be empty";
export const INVALID_SEED = "Invalid seed";

/** A seed as it is stored, or what is wrong with it. */
type NormalizedSeed = { readonly seed: Seed } | { readonly failure: string };

const RECORD_KEY = /^\/(?:works|books|authors)\/([^/]+)$/;

/**
 * A seed in any of the forms that clients send, as it is stored: keys, numbers of records, paths of
 * subjects, subject strings, `{key}`, `{thing: {key}, notes, position}`. Whether the record exists is not looked at.
 */
export function normalizeSeed(input: Json, prefix = DEFAULT_PREFIX): NormalizedSeed {
  if (typeof input === "string") return parseSeed(input, prefix);
  if (!isObject(input)) return { failure: INVALID_SEED };
  const { thing, key } = input;
  if (isObject(thing)) {
    const text = thing["key"];
    return typeof text === "string"
      ? annotateSeed(parseSeed(text, prefix), input)
      : { failure: INVALID_SEED };
  }
  return typeof key === "string" ? parseSeed(key, prefix) : { failure: INVALID_SEED };
}

/**
 * Seeds as they are stored, each key once: the first of several counts. The first failure is told. What `stored` holds
 * under a key that is none any more stays as it is.
 */
export function normalizeSeeds(
  inputs: readonly Json[],
  prefix = DEFAULT_PREFIX,
  stored: readonly Json[] = [],
): { readonly seeds: Json[] } | { readonly failure: string } {
  const known = new Map(stored.map((seed) => [seedKey(seed), seed]));
  const seeds = new Map<string, Json>();
  for (const input of inputs) {
    const normalized = normalizeSeed(input, prefix);
    const seed = "failure" in normalized ? known.get(seedKey(input)) : normalized.seed;
    if (seed === undefined) return "failure" in normalized ? normalized : { failure: INVALID_SEED };
    const key = seedKey(seed) ?? "";
    if (!seeds.has(key)) seeds.set(key, seed);
  }
  return { seeds: [...seeds.values()] };
}

function parseSeed(input: string, prefix: string): NormalizedSeed {
  const text = input.trim();
  if (text === "") return { failure: EMPTY_SEED };
  if (text.startsWith("/subjects/")) return parseSubjectSeed(subjectOfPath(text));
  if (isSubjectSeed(text)) return parseSubjectSeed(text);
  // Q255: lists cannot be seeds of lists.
  const segment = RECORD_KEY.exec(text)?.[1];
  const key = keyFromOlid(segment ?? text, prefix) ?? "";
  if (!RECORD_KEY.test(key)) return { failure: INVALID_SEED };
  if (segment === undefined) return { seed: { key } };
  return segment === lastSegment(key) ? { seed: { key: text } } : { failure: INVALID_SEED };
}

/** `/subjects/person:a,b` is `person:a_b`; subjects of the usual kind get their `subject:`. */
function subjectOfPath(path: string): string {
  const text = lastSegment(path).replaceAll(",", "_").replaceAll("__", "_");
  return isSubjectSeed(text) ? text : `subject:${text}`;
}

function parseSubjectSeed(text: string): NormalizedSeed {
  const hasName = text.slice(text.indexOf(":") + 1).trim() !== "";
  return hasName && text.length <= SEED_SUBJECT_LENGTH ? { seed: text } : { failure: INVALID_SEED };
}

/** The same with notes and position; subjects have none, and what is blank is none. */
function annotateSeed(normalized: NormalizedSeed, input: Record<string, Json | undefined>): NormalizedSeed {
  if ("failure" in normalized || typeof normalized.seed === "string") return normalized;
  const notes = optionalTextOf(input["notes"]);
  const position = optionalTextOf(input["position"]);
  if (notes === undefined || position === undefined) return { failure: INVALID_SEED };
  if (notes.length > SEED_NOTES_LENGTH) {
    return { failure: `Notes on a seed may have ${SEED_NOTES_LENGTH} characters` };
  }
  if (position.length > SEED_POSITION_LENGTH) {
    return { failure: `The position of a seed may have ${SEED_POSITION_LENGTH} characters` };
  }
  const newAnnotation = buildAnnotation(notes.trim(), position.trim());
  const reference = { key: seedKey(normalized.seed) ?? "" };
  return {
    seed: Object.keys(newAnnotation).length === 0 ? reference : { thing: reference, ...newAnnotation },
  };
}

/** A text, a text object or a number; "" for what is absent, undefined for anything else. */
function optionalTextOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return "";
  return positionTextOf(value) ?? textOf(value);
}
