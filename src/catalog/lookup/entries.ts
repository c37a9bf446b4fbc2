import { previewWordOf } from "../ebook-access.ts";
import {
  authorsOf,
  keyOf,
  textOf,
  elementsOf,
  isObject,
  objectsOf,
  stringsOf,
  type CatalogRecord,
  type Json,
  type JsonObject,
} from "../record.ts";
import { recordUrlOf } from "../slug.ts";
import {
  coverIdOf,
  buildCoverUrl,
  ocaidOf,
  coverUrlsOf,
  isCheckedOut,
  type EditionBundle,
  type LookupConfig,
} from "./bundle.ts";
import { olidOfKey } from "../keys.ts";
import { editionTitleOf, toTocRow } from "../document.ts";

export function toViewapiEntry(
  requested: string,
  { edition, access }: EditionBundle,
  { baseUrl, coversUrl, archiveUrl }: LookupConfig,
) {
  const url = recordUrlOf(baseUrl, edition);
  const ocaid = ocaidOf(edition);
  const cover = coverIdOf(edition);
  return {
    bib_key: requested,
    info_url: url,
    preview: previewWordOf(edition, access),
    preview_url: ocaid === undefined ? url : `${archiveUrl}/details/${ocaid}`,
    ...(cover !== undefined && { thumbnail_url: buildCoverUrl(coversUrl, cover, "S") }),
  };
}

/** Builds the default lookup entry with the complete record and the names of its authors. */
export function toDetailsEntry(requested: string, bundle: EditionBundle, config: LookupConfig) {
  return { ...toViewapiEntry(requested, bundle, config), details: withAuthorNames(bundle) };
}

function withAuthorNames({ edition, work, authors }: EditionBundle): CatalogRecord {
  // Q814: an edition without authors shows those of its work.
  const references = edition["authors"] ?? work?.["authors"];
  if (references === undefined) return edition;
  const names = authorsOf(references, authors).map((author) => ({
    key: keyOf(author),
    name: textOf(author["name"]) ?? "",
  }));
  return { ...edition, authors: names };
}

/** Builds the entry for display (`jscmd=data`): an edition and its work. Empty members are absent. */
export function toDataEntry(bundle: EditionBundle, config: LookupConfig): JsonObject {
  const { edition } = bundle;
  return {
    url: recordUrlOf(config.baseUrl, edition),
    key: keyOf(edition),
    title: unlessEmpty(editionTitleOf(edition)),
    subtitle: unlessEmpty(edition["subtitle"]),
    by_statement: unlessEmpty(edition["by_statement"]),
    authors: unlessEmpty(authorLinksOf(bundle, config)),
    identifiers: unlessEmpty(identifiersOf(edition)),
    classifications: unlessEmpty(classificationsOf(edition)),
    publishers: unlessEmpty(toNamed(edition["publishers"])),
    publish_places: unlessEmpty(toNamed(edition["publish_places"])),
    publish_date: unlessEmpty(edition["publish_date"]),
    number_of_pages: unlessEmpty(edition["number_of_pages"]),
    pagination: unlessEmpty(edition["pagination"]),
    weight: unlessEmpty(edition["weight"]),
    subjects: subjectsOf(bundle, "subjects", `${config.baseUrl}/subjects/`),
    subject_people: subjectsOf(bundle, "subject_people", `${config.baseUrl}/subjects/person:`),
    subject_places: subjectsOf(bundle, "subject_places", `${config.baseUrl}/subjects/place:`),
    subject_times: subjectsOf(bundle, "subject_times", `${config.baseUrl}/subjects/time:`),
    notes: unlessEmpty(textOf(edition["notes"])),
    table_of_contents: unlessEmpty(
      elementsOf(edition["table_of_contents"]).flatMap((row) => toTocRow(row) ?? []),
    ),
    links: unlessEmpty(linksOf(bundle.work)),
    excerpts: unlessEmpty(excerptsOf(bundle)),
    cover: coverUrlsOf(config.coversUrl, edition),
    ebooks: unlessEmpty(ebooksOf(bundle, config)),
  };
}

/** Returns undefined for an empty value, so that JSON has no such member. */
function unlessEmpty(value: Json | undefined): Json | undefined {
  if (typeof value !== "object" || value === null) return value || undefined;
  return Object.values(value).some((member) => member !== undefined) ? value : undefined;
}

/** Returns links to the work's authors, or to the edition's own authors if it has no work. */
function authorLinksOf({ edition, work, authors }: EditionBundle, { baseUrl }: LookupConfig): Json[] {
  const references = work === undefined ? edition["authors"] : work["authors"];
  return authorsOf(references, authors).map((author) => ({
    url: recordUrlOf(baseUrl, author),
    name: textOf(author["name"]) ?? "",
  }));
}

function identifiersOf(edition: CatalogRecord): JsonObject {
  const olid = olidOfKey(keyOf(edition) ?? "");
  return {
    ...stringListsOf(edition["identifiers"]),
    isbn_10: unlessEmpty(textsOf(edition["isbn_10"])),
    isbn_13: unlessEmpty(textsOf(edition["isbn_13"])),
    lccn: unlessEmpty(textsOf(edition["lccn"])),
    oclc: unlessEmpty(textsOf(edition["oclc_numbers"])),
    openlibrary: olid === undefined ? undefined : [olid],
  };
}

function classificationsOf(edition: CatalogRecord): JsonObject {
  return {
    ...stringListsOf(edition["classifications"]),
    lc_classifications: unlessEmpty(textsOf(edition["lc_classifications"])),
    dewey_decimal_class: unlessEmpty(textsOf(edition["dewey_decimal_class"])),
  };
}

function stringListsOf(object: Json | undefined): JsonObject {
  if (!isObject(object)) return {};
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, unlessEmpty(textsOf(value))]),
  );
}

function toNamed(values: Json | undefined): Json[] {
  return textsOf(values).map((name) => ({ name }));
}

function subjectsOf({ work }: EditionBundle, member: string, folder: string): Json | undefined {
  return unlessEmpty(elementsOf(work?.[member]).map((subject) => toSubjectLink(subject, folder)));
}

function toSubjectLink(subject: Json, folder: string): JsonObject {
  // In early records subjects are text objects or references.
  const name = textOf(subject) ?? keyOf(subject)?.split("/").pop()?.replaceAll("_", " ");
  if (name === undefined) return {};
  return { name, url: folder + name.toLowerCase().replaceAll(" ", "_") };
}

function linksOf(work: CatalogRecord | undefined): Json[] {
  return objectsOf(work?.["links"])
    .map((link) => ({ title: textOf(link["title"]) ?? null, url: textOf(link["url"]) ?? "" }))
    .filter(({ url }) => url !== "");
}

function excerptsOf({ edition, work }: EditionBundle): Json[] {
  const first = textOf(edition["first_sentence"]) || textOf(work?.["first_sentence"]);
  const opening = first ? [{ text: first, comment: "", first_sentence: true }] : [];
  const chosen = objectsOf(work?.["excerpts"])
    .map((excerpt) => ({ text: textOf(excerpt["excerpt"]) ?? "", comment: textOf(excerpt["comment"]) ?? "" }))
    .filter(({ text }) => text !== "");
  return [...opening, ...chosen];
}

function ebooksOf({ edition, access, lending }: EditionBundle, config: LookupConfig): Json[] {
  const ocaid = ocaidOf(edition);
  if (ocaid === undefined) return [];
  const availability = previewWordOf(edition, access);
  const preview = { preview_url: `${config.archiveUrl}/details/${ocaid}`, availability };
  if (availability === "full") return [{ ...preview, ...toOpenScan(ocaid, config) }];
  if (availability !== "borrow") return [{ ...preview, formats: {} }];
  const borrowUrl = `${recordUrlOf(config.baseUrl, edition)}/borrow`;
  return [{ ...preview, formats: {}, borrow_url: borrowUrl, checkedout: isCheckedOut(lending) }];
}

function toOpenScan(ocaid: string, { archiveUrl }: LookupConfig): JsonObject {
  const file = `${archiveUrl}/download/${ocaid}/${ocaid}`;
  const formats = {
    pdf: { url: `${file}.pdf` },
    epub: { url: `${file}.epub` },
    text: { url: `${file}_djvu.txt` },
  };
  return { formats, read_url: `${archiveUrl}/stream/${ocaid}` };
}

function textsOf(value: Json | undefined): string[] {
  return stringsOf(value).filter((text) => text !== "");
}
