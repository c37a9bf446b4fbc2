import { OPEN_PROVIDERS } from "../../catalog/ebook-access.ts";
import { toOppositeIsbn } from "../../catalog/identifiers/isbn.ts";
import { type CatalogRecord, type Json, isObject, stringsOf } from "../../catalog/record.ts";
import { normalizeNumbers } from "../../catalog/identifiers/edition-identifiers.ts";
import { deduplicate } from "./values.ts";

export type IdentifierFields = Readonly<Record<`id_${string}`, readonly string[]>>;

const NO_IDENTIFIERS: IdentifierFields = {};
const SEPARATORS = /[.,:]/g;
const REMOVED = /[()/#]/g;
const PLAIN_NAME = /^[a-z0-9_-]+$/;
const NAME = /^[-_\p{L}\p{N}\p{M}]+$/u;
/** Retailers that also count as providers, after the libraries. */
const LAST_PROVIDERS = ["betterworldbooks"];

/** Returns the ISBNs, 13 digits first, and the other form of each. */
export function bothIsbnForms(edition: CatalogRecord): readonly string[] | undefined {
  const written = ["isbn_13", "isbn_10"]
    .flatMap((member) => normalizeNumbers(member, edition[member]))
    .map((isbn) => isbn.replaceAll("_", ""))
    .filter((isbn) => isbn !== "");
  if (written.length === 0) return undefined;
  return deduplicate([...written, ...written.flatMap((isbn) => toOppositeIsbn(isbn) ?? [])]);
}

/** Returns the field for the identifiers of a source. Returns undefined for names that cannot be a field. */
export function identifierFieldOf(source: string): `id_${string}` | undefined {
  if (PLAIN_NAME.test(source)) return `id_${source}`;
  const name = source.toLowerCase().replace(SEPARATORS, "_").replace(REMOVED, "");
  return NAME.test(name) ? `id_${name}` : undefined;
}

/** Returns the `id_*` fields of a record. */
export function identifiersOf(record: CatalogRecord): IdentifierFields {
  const { identifiers } = record;
  if (!isObject(identifiers)) return NO_IDENTIFIERS;
  const fields: Record<`id_${string}`, readonly string[]> = {};
  for (const source in identifiers) {
    const field = identifierFieldOf(source);
    const values = identifierValuesOf(identifiers[source], source);
    if (field !== undefined && values !== undefined) {
      fields[field] = deduplicate([...(fields[field] ?? []), ...values]) ?? [];
    }
  }
  return fields;
}

/** Merges the `id_*` fields of several editions: distinct values in order. */
export function mergeIdentifiers(all: readonly IdentifierFields[]): IdentifierFields {
  const [only = NO_IDENTIFIERS] = all;
  if (all.length < 2) return only;
  const sets = new Map<`id_${string}`, Set<string>>();
  for (const fields of all) {
    for (const [field, values] of entriesOf(fields)) {
      const set = sets.get(field) ?? new Set();
      for (const value of values) set.add(value);
      sets.set(field, set);
    }
  }
  return Object.fromEntries(Array.from(sets, ([field, set]) => [field, [...set]]));
}

/** Returns the providers of an edition's text. The one that determines its access comes first. */
export function providerNamesOf(edition: CatalogRecord): string[] {
  const { identifiers, providers, ocaid } = edition;
  const names = hasOffer(providers) ? ["direct"] : [];
  const sources = isObject(identifiers) ? identifiers : {};
  for (const name of OPEN_PROVIDERS) if (hasValue(sources[name])) names.push(name);
  if (hasValue(ocaid)) names.push("ia");
  for (const name of LAST_PROVIDERS) if (hasValue(sources[name])) names.push(name);
  return names;
}

/** Returns true if an edition has an identifier of one of these sources. */
export function hasIdentifier(record: CatalogRecord, sources: readonly string[]): boolean {
  const { identifiers } = record;
  return isObject(identifiers) && sources.some((source) => hasValue(identifiers[source]));
}

function hasOffer(providers: Json | undefined): boolean {
  return Array.isArray(providers) && providers.some((offer) => isObject(offer) && hasValue(offer["url"]));
}

function hasValue(value: Json | undefined): boolean {
  return stringsOf(value).some((text) => text !== "");
}

function entriesOf(fields: IdentifierFields): [`id_${string}`, readonly string[]][] {
  // Object.entries widens the names to string.
  return Object.entries(fields) as [`id_${string}`, readonly string[]][];
}

function identifierValuesOf(value: Json | undefined, source: string): readonly string[] | undefined {
  const values = Array.isArray(value) ? value : [value ?? null];
  const texts = values.map((element) => (typeof element === "number" ? String(element) : element));
  return deduplicate(normalizeNumbers(source, texts));
}
