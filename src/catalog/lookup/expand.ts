import { workKeyOf } from "./bundle.ts";
import {
  type CatalogRecord,
  type Json,
  elementsOf,
  isObject,
  keyOf,
  objectsOf,
  typeKeyOf,
} from "../record.ts";

/** Names that `expand` takes, in the order of `X-Carrel-Expanded`. */
export const PARTS = ["authors", "works", "series", "languages", "cover", "ratings", "availability"] as const;
export type RecordPart = (typeof PARTS)[number];

interface Reference {
  readonly part: RecordPart;
  /** Type of the records that have the member, and of those that it refers to. */
  readonly from: string;
  readonly to: string;
  readonly member: string;
  /** Member of an element that is the reference, if the element itself is not. */
  readonly within?: string;
}

const EDITION = "/type/edition";
const WORK = "/type/work";
const AUTHOR = "/type/author";
const LANGUAGE = "/type/language";

export const REFERENCES: readonly Reference[] = [
  { part: "works", from: EDITION, to: WORK, member: "works" },
  { part: "authors", from: EDITION, to: AUTHOR, member: "authors" },
  { part: "languages", from: EDITION, to: LANGUAGE, member: "languages" },
  { part: "languages", from: EDITION, to: LANGUAGE, member: "translated_from" },
  { part: "authors", from: WORK, to: AUTHOR, member: "authors", within: "author" },
  { part: "series", from: WORK, to: "/type/series", member: "series", within: "series" },
  { part: "languages", from: WORK, to: LANGUAGE, member: "original_languages" },
];

/** Returns the record that takes the place of a reference; undefined if the reference stays. */
type ReplaceReference = (
  key: string,
  reference: { readonly part?: RecordPart; readonly to: string },
) => CatalogRecord | undefined;

export interface Expansion {
  readonly parts: ReadonlySet<RecordPart>;
  readonly replace: ReplaceReference;
  /** Returns true for members of the record that are shown. */
  readonly isShown?: (member: string) => boolean;
}

/**
 * Returns a record with the records that it refers to in their places. An edition without authors gets those of its first
 * work (Q811).
 */
export function expandReferences(
  record: CatalogRecord,
  { parts, replace, isShown = () => true }: Expansion,
): CatalogRecord {
  const type = typeKeyOf(record);
  const references = REFERENCES.filter(({ from, part, member }) => {
    return from === type && parts.has(part) && Array.isArray(record[member]) && isShown(member);
  });
  const members = references.map((reference) => [
    reference.member,
    elementsOf(record[reference.member]).map((element) => expandElement(element, reference, replace)),
  ]);
  const expanded: CatalogRecord = { ...record, ...Object.fromEntries(members) };
  const lacksAuthors = type === EDITION && elementsOf(record["authors"]).length === 0 && isShown("authors");
  if (!lacksAuthors || !parts.has("authors")) return expanded;
  const work = replace(workKeyOf(record) ?? "", { to: WORK });
  const authors = objectsOf(work?.["authors"]).flatMap(({ author = null }) =>
    isObject(author) ? [author] : [],
  );
  return authors.length === 0 ? expanded : { ...expanded, authors };
}

function expandElement(element: Json, reference: Reference, replace: ReplaceReference): Json {
  const { within } = reference;
  const isNested = within !== undefined && isObject(element);
  const key = keyOf(isNested ? element[within] : element);
  const record = key === undefined ? undefined : replace(key, reference);
  if (record === undefined) return element;
  return isNested ? { ...element, [within]: record } : record;
}
