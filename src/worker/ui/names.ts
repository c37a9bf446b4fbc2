import { lastSegmentOf } from "../../catalog/keys.ts";
import { languageNamesOf } from "../../catalog/language-names.ts";
import {
  type CatalogRecord,
  type Json,
  keyOf,
  resolveRecord,
  textOf,
  typeKeyOf,
} from "../../catalog/record.ts";
import { languageCodesOf, textLanguageOf } from "../../catalog/title-language.ts";
import { recordPagePath } from "./form.ts";
import { type Markup, type Piece, addressOf, forReader, langAttribute, markup, shortText } from "./markup.ts";
import { link } from "./parts.ts";
import { type Words, t } from "./words.ts";

export type Records = ReadonlyMap<string, CatalogRecord>;

/** Returns the title or name of a record, else the last part of its key. The title of an author is a form of address. */
export function nameOf(record: CatalogRecord): string {
  const members = typeKeyOf(record) === "/type/author" ? ["name"] : ["title", "name", "displayname"];
  const names = members.map((member) => textOf(record[member])?.trim());
  const key = keyOf(record) ?? "";
  return shortText(
    names.find((name) => name !== undefined && name !== "") ?? key.slice(key.lastIndexOf("/") + 1),
  );
}

export function recordLink(record: CatalogRecord): Markup {
  const key = keyOf(record) ?? "";
  return link(
    /^\/(?:works|books|authors)\//.test(key) ? recordPagePath(key, record) : addressOf(key),
    key.startsWith("/languages/") ? languageName(record) : titleMarkup(record, languageCodesOf(record)),
  );
}

/** Writes the name of a record, marked with the language of its title if the MARC codes tell it. */
export function titleMarkup(record: CatalogRecord, codes: readonly string[]): Piece {
  const name = nameOf(record);
  const tag = textLanguageOf(name, codes);
  return tag === undefined ? name : markup`<bdi${langAttribute(tag)}>${name}</bdi>`;
}

export function languageName(record: CatalogRecord): Markup {
  const named = { ...record, name: nameOf(record) };
  const code = lastSegmentOf(keyOf(record) ?? "");
  return forReader(({ language }) => shortText(languageNamesOf(code, named, language).shown));
}

/** Makes a link with the name and OLID of a record; with its key if it has no name. */
export function namedLink(key: string, name: string | undefined): Markup {
  if (name === undefined) return link(addressOf(key), key);
  return markup`${link(addressOf(key), shortText(name))} <span class="soft small">${lastSegmentOf(key)}</span>`;
}

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

const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["cita_press", "Cita Press"],
  ["librivox", "LibriVox"],
  ["openstax", "OpenStax"],
  ["project_gutenberg", "Project Gutenberg"],
  ["project_runeberg", "Project Runeberg"],
  ["standard_ebooks", "Standard Ebooks"],
  ["wikisource", "Wikisource"],
]);

export function providerName(name: string): Piece {
  return name === "ia" ? t("lending.archive") : (PROVIDERS.get(name) ?? shortText(name.replaceAll("_", " ")));
}

export const NAMED_KINDS = [
  "kind.add-book",
  "kind.add-cover",
  "kind.add-photo",
  "kind.bulk-delete-books",
  "kind.bulk-edit-permissions",
  "kind.bulk-edit-work-tags",
  "kind.bulk-revert-spam",
  "kind.bulk_update",
  "kind.create-list",
  "kind.create-series",
  "kind.delete-list",
  "kind.delete-profile",
  "kind.edit-blocked-ips",
  "kind.edit-book",
  "kind.edit-list",
  "kind.edit-usergroup-delete-member",
  "kind.merge-authors",
  "kind.merge-works",
  "kind.new-account",
  "kind.revert-version",
  "kind.undo",
  "kind.update",
  "kind.update-author-photos",
  "kind.update-book-covers",
] as const satisfies readonly Words[];

const BY_KIND: ReadonlyMap<string, Words> = new Map(
  NAMED_KINDS.map((words) => [words.slice("kind.".length), words]),
);

/** Returns the name of a kind of change; rare kinds have no translation. */
export function kindName(kind: string): Markup {
  const words = BY_KIND.get(kind);
  return words === undefined ? markup`<code>${kind}</code>` : t(words);
}

const NAMED = [
  "member.alternate_names",
  "member.authors",
  "member.bio",
  "member.birth_date",
  "member.by_statement",
  "member.contributors",
  "member.copyright_date",
  "member.covers",
  "member.date",
  "member.death_date",
  "member.description",
  "member.dewey_decimal_class",
  "member.dewey_number",
  "member.edition_name",
  "member.entity_type",
  "member.excerpts",
  "member.first_publish_date",
  "member.first_sentence",
  "member.fuller_name",
  "member.identifiers",
  "member.isbn_10",
  "member.isbn_13",
  "member.languages",
  "member.lc_classifications",
  "member.lccn",
  "member.links",
  "member.location",
  "member.name",
  "member.notes",
  "member.number_of_pages",
  "member.ocaid",
  "member.oclc_numbers",
  "member.original_languages",
  "member.other_titles",
  "member.pagination",
  "member.personal_name",
  "member.photos",
  "member.physical_dimensions",
  "member.physical_format",
  "member.publish_date",
  "member.publish_places",
  "member.publishers",
  "member.remote_ids",
  "member.seeds",
  "member.series",
  "member.source_records",
  "member.subject_people",
  "member.subject_places",
  "member.subject_times",
  "member.subjects",
  "member.subtitle",
  "member.table_of_contents",
  "member.tags",
  "member.title",
  "member.translated_from",
  "member.translated_titles",
  "member.translation_of",
  "member.type",
  "member.weight",
  "member.works",
] as const satisfies readonly Words[];

const BY_MEMBER: ReadonlyMap<string, Words> = new Map(
  NAMED.map((words) => [words.slice("member.".length), words]),
);

/** Returns the name of a member of records; rare members have no translation. */
export function memberName(member: string): Piece {
  const words = BY_MEMBER.get(member);
  return words === undefined ? member.replaceAll("_", " ") : t(words);
}
