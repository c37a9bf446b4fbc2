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

export type Records = ReadonlyMap<string, CatalogRecord>;

/** Returns the title or name of a record, else the last part of its key. The title of an author is a form of address. */
export function nameOf(record: CatalogRecord): string {
  const members = typeKey(record) === "/type/author" ? ["name"] : ["title", "name", "displayname"];
  const names = members.map((member) => textOf(record[member])?.trim());
  const key = keyOf(record) ?? "";
  return shortText(
    names.find((name) => name !== undefined && name !== "") ?? key.slice(key.lastIndexOf("/") + 1),
  );
}

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

/** Makes a link with the name and OLID of a record; with its key if it has no name. */
export function namedLink(key: string, name: string | undefined): Markup {
  if (name === undefined) return link(addressOf(key), key);
  return markup`${link(addressOf(key), shortText(name))} <span class="soft small">${lastSegment(key)}</span>`;
}

/** Makes a link to the record of a reference `{key}`, with its name or, if the record is unknown, its key. */
export function referenceLink(reference: Json | undefined, records: Records): Markup | undefined {
  const key = keyOf(reference);
  if (key === undefined) return undefined;
  const record = resolveRecord(records, key);
  return record === undefined
    ? link(addressOf(key), key.slice(key.lastIndexOf("/") + 1))
    : recordLink(record);
}

export function referenceLinks(references: Json | undefined, records: Records): Markup[] {
  if (!Array.isArray(references)) return [];
  return references.flatMap((reference) => referenceLink(reference, records) ?? []);
}

/** Names of providers of whole books, by name in identifiers. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["cita_press", "Cita Press"],
  ["ia", "the Internet Archive"],
  ["librivox", "LibriVox"],
  ["openstax", "OpenStax"],
  ["project_gutenberg", "Project Gutenberg"],
  ["project_runeberg", "Project Runeberg"],
  ["standard_ebooks", "Standard Ebooks"],
  ["wikisource", "Wikisource"],
]);

export function providerName(name: string): string {
  return PROVIDERS.get(name) ?? name.replaceAll("_", " ");
}
