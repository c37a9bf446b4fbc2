import { type CatalogRecord, type Json, isObject, keyOf, textOf } from "../record.ts";

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
  return annotation(textOf(seed["notes"]), positionText(seed["position"]));
}

/** An annotation without its empty members. */
export function annotation(notes: string | undefined, position: string | undefined): SeedAnnotation {
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
export function positionText(position: Json | undefined): string | undefined {
  return typeof position === "number" ? String(position) : textOf(position);
}
