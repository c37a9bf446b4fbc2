import { rewriteLegacyKey } from "../keys.ts";
import { firstImageOf } from "../lookup/bundle.ts";
import { type CatalogRecord, type Json, type JsonObject, authorKeysIn, textOf } from "../record.ts";
import { recordUrlOf } from "../slug.ts";
import { editionTitleOf } from "../document.ts";
import { type SeedAnnotation, annotationOf, isSubjectSeed, seedKeyOf } from "./seeds.ts";
import { formatWireTime } from "./list-view.ts";

export interface SeedRecord {
  readonly type: string;
  readonly revision: number;
  /** Naive UTC. */
  readonly lastModified: string;
  /** Title, name, covers, photos and authors as stored. */
  readonly members: CatalogRecord;
}

export interface ListSeed extends SeedAnnotation {
  /** Canonical key, or the subject string. */
  readonly key: string;
  readonly record: SeedRecord | undefined;
}

/** Combines a stored seed with its record. Returns undefined if the value is not a seed. */
export function toListSeed(seed: Json, record: SeedRecord | undefined): ListSeed | undefined {
  const key = seedKeyOf(seed);
  return key === undefined ? undefined : { key: rewriteLegacyKey(key), ...annotationOf(seed), record };
}

interface Pictures {
  readonly coversUrl: string;
  readonly subjects: ReadonlyMap<string, number>;
}

const KINDS = new Map([
  ["/type/edition", "edition"],
  ["/type/work", "work"],
  ["/type/author", "author"],
  ["/type/redirect", "redirect"],
]);

export function toSeedEntry(seed: ListSeed, pictures: Pictures): JsonObject {
  const { key, record } = seed;
  const type = seedKindOf(seed);
  const url = type === "subject" ? subjectPathOf(key) : key;
  const picture = pictureOf(seed, pictures);
  return {
    url,
    full_url: hasSlug(type) ? recordUrlOf("", { ...record?.members, key, type: record?.type }) : url,
    type,
    title: seedTitleOf(seed),
    last_update: type === "subject" || record === undefined ? null : formatWireTime(record.lastModified),
    ...(picture === undefined ? {} : { picture: { url: picture } }),
    // Q243: notes and position of the seed in the list.
    ...(seed.notes === undefined ? {} : { notes: seed.notes }),
    ...(seed.position === undefined ? {} : { position: seed.position }),
  };
}

/** Returns the kind of a seed; `unknown` for deleted records and records of other types. */
export function seedKindOf({ key, record }: Pick<ListSeed, "key" | "record">): string {
  if (isSubject(key)) return "subject";
  return KINDS.get(record?.type ?? "") ?? "unknown";
}

/** Returns the title of a seed: title or name of the record, or its key; for subjects the seed with blanks. */
export function seedTitleOf(seed: ListSeed): string {
  const { key, record } = seed;
  if (isSubject(key)) return subjectSeedOf(key).replaceAll("_", " ");
  const text = hasSlug(seedKindOf(seed)) ? nameOf(record?.members ?? {}, record?.type) : undefined;
  return text === undefined || text === "" ? key : text;
}

/** Returns the path of a subject's page: `/subjects/love`, `/subjects/place:france`. */
export function subjectPathOf(seed: string): string {
  return seed.startsWith("/") ? seed : `/subjects/${seed.replace(/^subject:/, "")}`;
}

function subjectSeedOf(key: string): string {
  if (!key.startsWith("/subjects/")) return key;
  const name = key.slice("/subjects/".length);
  return isSubjectSeed(name) ? name : `subject:${name}`;
}

function isSubject(key: string): boolean {
  return isSubjectSeed(key) || key.startsWith("/subjects/");
}

function hasSlug(kind: string): boolean {
  return kind === "edition" || kind === "work" || kind === "author";
}

function nameOf(members: CatalogRecord, type: string | undefined): string | undefined {
  if (type === "/type/author") return textOf(members["name"]);
  return type === "/type/edition" ? editionTitleOf(members) : textOf(members["title"]);
}

function pictureOf(seed: ListSeed, { coversUrl, subjects }: Pictures): string | undefined {
  const { key, record } = seed;
  const kind = seedKindOf(seed);
  const isAuthor = kind === "author";
  const images = hasSlug(kind) ? record?.members[isAuthor ? "photos" : "covers"] : undefined;
  const id = kind === "subject" ? subjects.get(key) : firstImageOf(images);
  return id === undefined ? undefined : `${coversUrl}/${isAuthor ? "a" : "b"}/id/${id}-S.jpg`;
}

export function authorKeysOf({ record }: ListSeed): string[] {
  return authorKeysIn(record?.members["authors"]);
}
