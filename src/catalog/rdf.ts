import {
  type RdfInput,
  NAMESPACES,
  RDF_EDITIONS_MAX,
  administrative,
  classifications,
  namedAuthor,
  uriOf,
  webPages,
} from "./rdf-parts.ts";
import {
  type CatalogRecord,
  type Json,
  authorsOf,
  elementsOf,
  isObject,
  keyOf,
  stringsOf,
  textOf,
  typeKey,
} from "./record.ts";
import { type XmlElement, element, resource, textElement, textElements, xmlDocument } from "./xml.ts";

/** What the URI of a person starts with in other catalogs, by the name of the identifier's source. */
const SAME_AS: readonly (readonly [source: string, base: string])[] = [
  ["isni", "http://isni.org/isni/"],
  ["wikidata", "http://www.wikidata.org/entity/"],
  ["viaf", "http://viaf.org/viaf/"],
];

/** An author's description. */
function authorDescription({ record, baseUrl, coversUrl }: RdfInput): XmlElement[] {
  const members = [
    ...names(record),
    ...lifeEvent("bio:Birth", record["birth_date"]),
    ...lifeEvent("bio:Death", record["death_date"]),
    ...sameAs(record["remote_ids"]),
    ...primaryTopic(record["wikipedia"]),
    ...webPages(record["links"]),
    ...depictions(record["photos"], coversUrl),
  ];
  const about = { "rdf:about": uriOf(record, baseUrl) };
  return [element(agentClass(record), members, about), administrative(record)];
}

function agentClass(author: CatalogRecord): string {
  if (author["entity_type"] === "org") return "foaf:Organization";
  const isDated = Boolean(textOf(author["birth_date"])) || Boolean(textOf(author["death_date"]));
  return isDated ? "foaf:Person" : "foaf:Agent";
}

function names(author: CatalogRecord): XmlElement[] {
  const name = [textOf(author["name"]), textOf(author["enumeration"])].filter(Boolean).join(", ");
  return [
    ...textElement("foaf:name", name),
    ...textElements("rdg2:variantNameForThePerson", stringsOf(author["alternate_names"])),
    ...textElement("rdg2:biographicalInformation", textOf(author["bio"])),
    ...textElement("rdg2:titleOfThePerson", textOf(author["title"])),
  ];
}

function lifeEvent(name: string, date: Json | undefined): XmlElement[] {
  const dated = textElement("dcterms:date", textOf(date));
  return dated.length === 0 ? [] : [element("bio:event", [element(name, dated)])];
}

function sameAs(remoteIds: Json | undefined): XmlElement[] {
  if (!isObject(remoteIds)) return [];
  return SAME_AS.flatMap(([source, base]) =>
    stringsOf(remoteIds[source])
      .filter((id) => id !== "")
      .map((id) => resource("owl:sameAs", base + id)),
  );
}

function primaryTopic(wikipedia: Json | undefined): XmlElement[] {
  const url = textOf(wikipedia);
  return url === undefined || url === "" ? [] : [resource("foaf:isPrimaryTopicOf", url)];
}

function depictions(photos: Json | undefined, coversUrl: string): XmlElement[] {
  const ids = elementsOf(photos).filter((id) => typeof id === "number" && id > 0);
  return ids.map((id) =>
    element("foaf:depiction", [element("foaf:Image", [], { "rdf:about": `${coversUrl}/a/id/${id}-L.jpg` })]),
  );
}

const COLLECTION = { "rdf:parseType": "Collection" };

/** An edition's description. */
function editionDescription(input: RdfInput): XmlElement[] {
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
  const key = keyOf(work) ?? keyOf(elementsOf(record["works"])[0]);
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
  const agents = elementsOf(contributors).flatMap((contributor) => {
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
  const codes = elementsOf(edition["languages"]).map((language) => keyOf(language)?.split("/").pop() ?? "");
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

/** A work's description, and a short one of each of its editions. */
function workDescription({ record, authors, editions = [], baseUrl }: RdfInput): XmlElement[] {
  const creators = authorsOf(record["authors"], authors).map((author) =>
    element("dcterms:creator", [namedAuthor(author, baseUrl)]),
  );
  const uri = uriOf(record, baseUrl);
  const members = [
    ...textElement("dcterms:title", textOf(record["title"])),
    ...creators,
    ...aboutWork(record),
  ];
  return [
    element("frbr:Work", members, { "rdf:about": uri }),
    ...editions.slice(0, RDF_EDITIONS_MAX).map((edition) => manifestation(edition, uri, baseUrl)),
    administrative(record),
  ];
}

function aboutWork(work: CatalogRecord): XmlElement[] {
  const coverage = [...stringsOf(work["subject_places"]), ...stringsOf(work["subject_times"])];
  return [
    ...textElements("dcterms:subject", stringsOf(work["subjects"])),
    ...textElements("dcterms:coverage", coverage),
    ...textElement("dcterms:description", textOf(work["description"])),
    ...classifications(work["dewey_number"], work["lc_classifications"]),
    ...textElement("dcterms:date", textOf(work["first_publish_date"])),
    ...textElements("dcterms:alternative", stringsOf(work["other_titles"])),
    ...webPages(work["links"]),
  ];
}

function manifestation(edition: CatalogRecord, workUri: string, baseUrl: string): XmlElement {
  const members = [
    resource("rdrel:workManifested", workUri),
    ...textElement("dcterms:title", textOf(edition["title"])),
    ...textElement("dcterms:date", textOf(edition["publish_date"])),
  ];
  return element("rdf:Description", members, { "rdf:about": uriOf(edition, baseUrl) });
}

const DESCRIPTIONS = new Map<string, (input: RdfInput) => XmlElement[]>([
  ["/type/edition", editionDescription],
  ["/type/work", workDescription],
  ["/type/author", authorDescription],
]);

/** RDF/XML of an edition, work or author; undefined for records of every other type. */
export function renderRdf(input: RdfInput): string | undefined {
  const description = DESCRIPTIONS.get(typeKey(input.record) ?? "");
  return description === undefined
    ? undefined
    : xmlDocument(element("rdf:RDF", description(input), NAMESPACES));
}
