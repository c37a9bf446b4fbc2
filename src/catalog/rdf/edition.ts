import { type CatalogRecord, type Json, authorsOf, isObject, keyOf, stringsOf, textOf } from "../record.ts";
import type { RdfInput } from "./input.ts";
import { administrative, arrayOf, classifications, namedAuthor, uriOf } from "./parts.ts";
import { type XmlElement, element, resource, textElement, textElements } from "./xml.ts";

const COLLECTION = { "rdf:parseType": "Collection" };

/** An edition's description (records.md 2.4). */
export function editionDescription(input: RdfInput): XmlElement[] {
  const { record, baseUrl } = input;
  const members = [
    ...manifestedWork(input),
    ...people(input),
    ...publication(record),
    ...subjects(record),
    ...texts(record),
    ...numbers(record),
  ];
  return [
    element("rdf:Description", members, { "rdf:about": uriOf(record, baseUrl) }),
    administrative(record),
  ];
}

function manifestedWork({ record, work, baseUrl }: RdfInput): XmlElement[] {
  const key = keyOf(work) ?? keyOf(arrayOf(record["works"])[0]);
  return key === undefined ? [] : [resource("rdrel:workManifested", baseUrl + key)];
}

function people({ record, work, authors, baseUrl }: RdfInput): XmlElement[] {
  const ofWork = authorsOf(work?.["authors"], authors);
  const shown = ofWork.length > 0 ? ofWork : authorsOf(record["authors"], authors);
  const list = shown.map((author) => namedAuthor(author, baseUrl));
  return [
    element("bibo:authorList", list, COLLECTION),
    ...contributorList(record["contributors"]),
    ...textElements("dcterms:contributor", stringsOf(record["contributions"])),
  ];
}

function contributorList(contributors: Json | undefined): XmlElement[] {
  const agents = arrayOf(contributors).flatMap((contributor) => {
    const name = textElement("foaf:name", isObject(contributor) ? textOf(contributor["name"]) : undefined);
    return name.length === 0 ? [] : [element("foaf:Agent", name)];
  });
  return agents.length === 0 ? [] : [element("bibo:contributorList", agents, COLLECTION)];
}

function publication(edition: CatalogRecord): XmlElement[] {
  return [
    ...textElement("dcterms:title", fullTitle(edition)),
    ...textElements("dcterms:publisher", stringsOf(edition["publishers"])),
    ...textElements("rdvocab:placeOfPublication", stringsOf(edition["publish_places"])),
    ...textElement("dcterms:issued", textOf(edition["publish_date"])),
    ...textElement("dcterms:extent", extent(edition)),
    ...textElement("rdvocab:dimensions", textOf(edition["physical_dimensions"])),
    ...textElement("bibo:edition", textOf(edition["edition_name"])),
  ];
}

/** `title: subtitle`, or the one of them that there is. */
function fullTitle(edition: CatalogRecord): string {
  return [textOf(edition["title"]), textOf(edition["subtitle"])].filter(Boolean).join(": ");
}

function extent({ pagination, number_of_pages: pages }: CatalogRecord): string | undefined {
  const stated = textOf(pagination);
  if (stated !== undefined && stated !== "") return stated;
  return typeof pages === "number" ? String(pages) : textOf(pages);
}

function subjects(edition: CatalogRecord): XmlElement[] {
  return [
    ...textElements("dc:subject", stringsOf(edition["subjects"])),
    ...classifications(edition["dewey_decimal_class"], edition["lc_classifications"]),
  ];
}

function texts(edition: CatalogRecord): XmlElement[] {
  const codes = arrayOf(edition["languages"]).map((language) => keyOf(language)?.split("/").pop() ?? "");
  return [
    ...textElement("dcterms:description", textOf(edition["description"])),
    ...textElement("rdvocab:note", textOf(edition["notes"])),
    ...textElements("dcterms:language", codes),
  ];
}

function numbers(edition: CatalogRecord): XmlElement[] {
  return [
    ...textElement("dcterms:identifier", keyOf(edition)),
    ...textElements("bibo:oclcnum", stringsOf(edition["oclc_numbers"])),
    ...textElements("bibo:lccn", stringsOf(edition["lccn"])),
    ...textElements("bibo:isbn10", stringsOf(edition["isbn_10"])),
    ...textElements("bibo:isbn13", stringsOf(edition["isbn_13"])),
  ];
}
