import { rewriteLegacyKey } from "../keys.ts";
import {
  type CatalogRecord,
  type Json,
  authorKeys,
  isObject,
  keyOf,
  memberOf,
  textOf,
  typeKey,
} from "../record.ts";

/** A text that is the same for equal values, whatever the order of members and the type of an author role. */
export function fingerprint(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(fingerprint).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const isRole = typeKey(value) === "/type/author_role";
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined && !(name === "type" && isRole))
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${fingerprint(value[name])}`).join(",")}}`;
}

/** The elements without those that equal an earlier one by `identity`. The array itself when there are none. */
export function distinct(elements: Json[], identity: (element: Json) => string = fingerprint): Json[] {
  const seen = new Set<string>();
  const kept = elements.filter((element) => {
    const text = identity(element);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
  return kept.length === elements.length ? elements : kept;
}

type Identity = (element: Json) => string;

const byAuthor: Identity = (element) => {
  const [key] = authorKeys([element]);
  return key === undefined ? fingerprint(element) : `author ${rewriteLegacyKey(key)}`;
};
const bySeries: Identity = (element) => {
  const key = isObject(element) ? keyOf(element["series"]) : undefined;
  return key === undefined ? fingerprint(element) : `series ${key}`;
};
const byWords: Identity = (element) => {
  const text = textOf(element);
  return text === undefined ? fingerprint(element) : squashed(text).toLowerCase();
};
/** The number of an image may be a text in old records. */
const byNumber: Identity = (element) => (typeof element === "string" ? element.trim() : fingerprint(element));
/** Blanks and hyphens of an identifier, and its case, tell nothing. */
const byIdentifier: Identity = (element) => {
  const text = textOf(element);
  return text === undefined ? fingerprint(element) : text.replace(/[\s-]+/g, "").toLowerCase();
};

/** How elements of a member are told apart by what they mean. */
const IDENTITIES: ReadonlyMap<string, Identity> = new Map([
  ["authors", byAuthor],
  ["series", bySeries],
  ...["subjects", "subject_people", "subject_places", "subject_times"].map(
    (name) => [name, byWords] as const,
  ),
  ...["covers", "photos"].map((name) => [name, byNumber] as const),
]);

/** What tells the elements of a member of a record apart; other members by their whole values. */
export function identityIn(member: string): Identity {
  return IDENTITIES.get(member) ?? fingerprint;
}

/** Two values of a kind of identifiers, joined; the first one if either is no list. */
function joinedIdentifiers(own: Json | undefined, other: Json | undefined): Json | undefined {
  if (own === undefined || own === null) return Array.isArray(other) ? distinct(other, byIdentifier) : other;
  if (!Array.isArray(own)) return own;
  return distinct([...own, ...(Array.isArray(other) ? other : [])], byIdentifier);
}

/** Identifiers `{kind: [values]}` of two records, each value once. */
export function joinIdentifiers(own: CatalogRecord, other: CatalogRecord): CatalogRecord {
  const kinds = [...new Set([...Object.keys(own), ...Object.keys(other)])];
  return Object.fromEntries(
    kinds.map((kind) => [kind, joinedIdentifiers(memberOf(own, kind), memberOf(other, kind))]),
  );
}

/** The record without elements of its members that mean the same as an earlier one. */
export function withoutRepeats(record: CatalogRecord): CatalogRecord {
  const { identifiers } = record;
  const entries = Object.entries(record).map(([name, value]) => {
    const identity = IDENTITIES.get(name);
    return [name, identity !== undefined && Array.isArray(value) ? distinct(value, identity) : value];
  });
  return {
    ...Object.fromEntries(entries),
    ...(isObject(identifiers) && { identifiers: joinIdentifiers(identifiers, {}) }),
  };
}

/** A name without blanks that say nothing. */
export function squashed(name: string): string {
  return name.trim().replace(/\s+/g, " ");
}
