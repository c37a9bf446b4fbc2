import { lastSegment } from "../../catalog/keys.ts";
import { languageNames } from "../../catalog/language.ts";
import {
  type CatalogRecord,
  type Json,
  keyOf,
  resolveRecord,
  textOf,
  typeKey,
} from "../../catalog/record.ts";
import { recordPage } from "./form.ts";
import { type Markup, addressOf, forReader, markup, shortText } from "./markup.ts";
import { link } from "./parts.ts";

/** Records by the key under which others name them. */
export type Records = ReadonlyMap<string, CatalogRecord>;

/** What a record is called: title (which authors have as people do), name, or the last part of its key. */
export function nameOf(record: CatalogRecord): string {
  const members = typeKey(record) === "/type/author" ? ["name"] : ["title", "name", "displayname"];
  const names = members.map((member) => textOf(record[member])?.trim());
  const key = keyOf(record) ?? "";
  return shortText(
    names.find((name) => name !== undefined && name !== "") ?? key.slice(key.lastIndexOf("/") + 1),
  );
}

/** A link to a record's page by its name. */
export function recordLink(record: CatalogRecord): Markup {
  const key = keyOf(record) ?? "";
  return link(
    /^\/(?:works|books|authors)\//.test(key) ? recordPage(key, record) : addressOf(key),
    key.startsWith("/languages/") ? languageName(record) : nameOf(record),
  );
}

function languageName(record: CatalogRecord): Markup {
  const named = { ...record, name: nameOf(record) };
  return forReader(({ language }) => shortText(languageNames("", named, language).name));
}

/** A link to a record by its name, with its number; by its key where it has no name. */
export function namedLink(key: string, name: string | undefined): Markup {
  if (name === undefined) return link(addressOf(key), key);
  return markup`${link(addressOf(key), shortText(name))} <span class="soft small">${lastSegment(key)}</span>`;
}

/** A link to what a reference `{key}` names: by its name where it is known, by its key where it is not. */
export function referenceLink(reference: Json | undefined, records: Records): Markup | undefined {
  const key = keyOf(reference);
  if (key === undefined) return undefined;
  const record = resolveRecord(records, key);
  return record === undefined
    ? link(addressOf(key), key.slice(key.lastIndexOf("/") + 1))
    : recordLink(record);
}

/** Links to all records that a list of references names. */
export function referenceLinks(references: Json | undefined, records: Records): Markup[] {
  if (!Array.isArray(references)) return [];
  return references.flatMap((one) => referenceLink(one, records) ?? []);
}
