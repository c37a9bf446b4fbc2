import type { Text } from "../texts.ts";
import { isObject, keyOf, textOf, type CatalogRecord, type Json } from "../record.ts";
import { DEFAULT_PREFIX, recordKeyOfOlid, lastSegmentOf } from "../keys.ts";

export const LIST_SEEDS_MAX = 10_000;
/** Maximum works of a series that are read, shown in its form, and changed by one call. */
export const SERIES_SEEDS_MAX = 1000;
/** Maximum length of a list's or series' name, in UTF-16 units. */
export const LIST_NAME_LENGTH = 255;
/** Maximum length of a list's or series' description, in UTF-16 units. */
export const LIST_DESCRIPTION_LENGTH = 65_536;
/** Maximum tags of a list, and maximum length of a tag in UTF-16 units. */
export const LIST_TAGS_MAX = 100;
export const LIST_TAG_LENGTH = 255;
/** Maximum lengths of a seed's notes, position and subject string, in UTF-16 units. */
export const SEED_NOTES_LENGTH = 4096;
const SEED_POSITION_LENGTH = 255;
export const SEED_SUBJECT_LENGTH = 512;

// Type aliases, because interfaces are not assignable to `Json`.

type SeedReference = { readonly key: string };

export type SeedAnnotation = { readonly notes?: string; readonly position?: string };

type AnnotatedSeed = SeedAnnotation & { readonly thing: SeedReference };

/** Seed as stored: `{key}`, `{thing: {key}, notes, position}`, or `subject:love`. */
export type Seed = string | SeedReference | AnnotatedSeed;

type SeedType = "author" | "edition" | "subject" | "work";

const SUBJECT_SEED_PREFIXES = ["subject:", "place:", "person:", "time:"] as const;

const SUBJECTS_FOLDER = "/subjects/";
const FOLDERS: readonly (readonly [folder: string, type: SeedType])[] = [
  [SUBJECTS_FOLDER, "subject"],
  ["/works/", "work"],
  ["/books/", "edition"],
  ["/authors/", "author"],
];

/** Returns the identity of a seed: the subject string, `key` or `thing.key`. Returns undefined if it is not a seed. */
export function seedKeyOf(seed: Json): string | undefined {
  const key = isObject(seed)
    ? (keyOf(seed) ?? keyOf(seed["thing"]))
    : typeof seed === "string"
      ? seed
      : undefined;
  return key === "" ? undefined : key;
}

/** Returns the kind of a seed by the shape of its key. Returns undefined for other records, such as lists. */
export function seedTypeOf(key: string): SeedType | undefined {
  if (!key.includes("/") || isSubjectSeed(key)) return "subject";
  return FOLDERS.find(([folder]) => key.startsWith(folder))?.[1];
}

export function isSubjectSeed(key: string): boolean {
  return SUBJECT_SEED_PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** Returns the notes and position of a stored seed; empty without an annotation. */
export function annotationOf(seed: Json): SeedAnnotation {
  if (!isObject(seed) || !isObject(seed["thing"])) return {};
  return buildAnnotation(textOf(seed["notes"]), positionTextOf(seed["position"]));
}

export function buildAnnotation(notes: string | undefined, position: string | undefined): SeedAnnotation {
  return {
    ...(notes === undefined || notes === "" ? {} : { notes }),
    ...(position === undefined || position === "" ? {} : { position }),
  };
}

/** Returns the seeds of a list's record, in order, without invalid values. */
export function seedsOfRecord(record: CatalogRecord): Json[] {
  const { seeds } = record;
  return Array.isArray(seeds) ? seeds.filter((seed) => seedKeyOf(seed) !== undefined) : [];
}

/** Returns a position as text; in early records it may be a number. */
export function positionTextOf(position: Json | undefined): string | undefined {
  return typeof position === "number" ? String(position) : textOf(position);
}

export const INVALID_SEED = { key: "bad_request.seed" } as const;
/** Reason why a seed is invalid: clients know some of these texts. */
export type SeedFailure = Text<
  "bad_request.seed" | "bad_request.empty_seed" | "bad_request.seed_notes" | "bad_request.seed_position"
>;

type NormalizedSeed = { readonly seed: Seed } | { readonly failure: SeedFailure };

const RECORD_KEY = /^\/(?:works|books|authors)\/([^/]+)$/;

/**
 * Converts a seed from any form that clients send to its stored form: keys, record numbers, paths of subjects, subject
 * strings, `{key}`, `{thing: {key}, notes, position}`. `OL1M` becomes `{"key": "/books/OL1M"}`,
 * `/subjects/place:London` becomes `place:London`. Does not check that the record exists.
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
 * Normalises seeds; of several with one key the first is kept. Returns the first failure. A key of `stored` that is no
 * longer valid keeps its stored seed.
 */
export function normalizeSeeds(
  inputs: readonly Json[],
  prefix = DEFAULT_PREFIX,
  stored: readonly Json[] = [],
): { readonly seeds: Json[] } | { readonly failure: SeedFailure } {
  const known = new Map(stored.map((seed) => [seedKeyOf(seed), seed]));
  const seeds = new Map<string, Json>();
  for (const input of inputs) {
    const normalized = normalizeSeed(input, prefix);
    const seed = "failure" in normalized ? known.get(seedKeyOf(input)) : normalized.seed;
    if (seed === undefined) return "failure" in normalized ? normalized : { failure: INVALID_SEED };
    const key = seedKeyOf(seed) ?? "";
    if (!seeds.has(key)) seeds.set(key, seed);
  }
  return { seeds: [...seeds.values()] };
}

function parseSeed(input: string, prefix: string): NormalizedSeed {
  const text = input.trim();
  if (text === "") return { failure: { key: "bad_request.empty_seed" } };
  if (text.startsWith("/subjects/")) return parseSubjectSeed(subjectOfPath(text));
  if (isSubjectSeed(text)) return parseSubjectSeed(text);
  // Q255: lists cannot be seeds of lists.
  const segment = RECORD_KEY.exec(text)?.[1];
  const key = recordKeyOfOlid(segment ?? text, prefix) ?? "";
  if (!RECORD_KEY.test(key)) return { failure: INVALID_SEED };
  if (segment === undefined) return { seed: { key } };
  return segment === lastSegmentOf(key) ? { seed: { key: text } } : { failure: INVALID_SEED };
}

/** Converts `/subjects/person:a,b` to `person:a_b`; plain subjects get the prefix `subject:`. */
function subjectOfPath(path: string): string {
  const text = lastSegmentOf(path).replaceAll(",", "_").replaceAll("__", "_");
  return isSubjectSeed(text) ? text : `subject:${text}`;
}

function parseSubjectSeed(text: string): NormalizedSeed {
  const hasName = text.slice(text.indexOf(":") + 1).trim() !== "";
  return hasName && text.length <= SEED_SUBJECT_LENGTH ? { seed: text } : { failure: INVALID_SEED };
}

/** Adds notes and position, except to subjects. Blank ones are left out. */
function annotateSeed(normalized: NormalizedSeed, input: Record<string, Json | undefined>): NormalizedSeed {
  if ("failure" in normalized || typeof normalized.seed === "string") return normalized;
  const notes = optionalTextOf(input["notes"]);
  const position = optionalTextOf(input["position"]);
  if (notes === undefined || position === undefined) return { failure: INVALID_SEED };
  if (notes.length > SEED_NOTES_LENGTH) {
    return { failure: { key: "bad_request.seed_notes", values: { most: SEED_NOTES_LENGTH } } };
  }
  if (position.length > SEED_POSITION_LENGTH) {
    return { failure: { key: "bad_request.seed_position", values: { most: SEED_POSITION_LENGTH } } };
  }
  const newAnnotation = buildAnnotation(notes.trim(), position.trim());
  const reference = { key: seedKeyOf(normalized.seed) ?? "" };
  return {
    seed: Object.keys(newAnnotation).length === 0 ? reference : { thing: reference, ...newAnnotation },
  };
}

/** Returns a text, text object or number as text; "" if absent, undefined for other values. */
function optionalTextOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return "";
  return positionTextOf(value) ?? textOf(value);
}
