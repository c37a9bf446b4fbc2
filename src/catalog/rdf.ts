import { normalizeNumbers } from "./identifiers/edition-identifiers.ts";
import { lastSegmentOf } from "./keys.ts";
import {
  type CatalogRecord,
  type Json,
  authorsOf,
  elementsOf,
  isObject,
  keyOf,
  keysOf,
  stringsOf,
  textOf,
  typeKeyOf,
  objectsOf,
} from "./record.ts";
import {
  type SerializedElement,
  element,
  resourceLink,
  textElement,
  textElements,
  renderXmlDocument,
} from "./xml.ts";

export const RDF_EDITIONS_MAX = 20;

/** Data of an RDF description. All records are as readers see them (`toReadView`); nothing is fetched. */
export interface RdfInput {
  readonly record: CatalogRecord;
  /** First work of an edition, with redirects followed. */
  readonly work?: CatalogRecord;
  /** Authors of the edition or work, by the key that refers to them. */
  readonly authors: ReadonlyMap<string, CatalogRecord>;
  /** Editions of a work, in display order. */
  readonly editions?: readonly CatalogRecord[];
  /** Prefix of subject URIs: scheme and host, no trailing slash. */
  readonly baseUrl: string;
  /** Public address of the cover store, no trailing slash. */
  readonly coversUrl: string;
}

const NAMESPACES: Readonly<Record<string, string>> = {
  "xmlns:rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  "xmlns:rdfs": "http://www.w3.org/2000/01/rdf-schema#",
  "xmlns:owl": "http://www.w3.org/2002/07/owl#",
  "xmlns:dcterms": "http://purl.org/dc/terms/",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:dcam": "http://purl.org/dc/dcam/",
  "xmlns:bibo": "http://purl.org/ontology/bibo/",
  "xmlns:rdvocab": "http://RDVocab.info/elements/",
  "xmlns:rdrel": "http://RDVocab.info/RDARelationshipsWEMI/",
  "xmlns:rdg2": "http://rdvocab.info/ElementsGr2/",
  "xmlns:frbr": "http://purl.org/vocab/frbr/core#",
  "xmlns:foaf": "http://xmlns.com/foaf/0.1/",
  "xmlns:bio": "http://purl.org/vocab/bio/0.1/",
  "xmlns:ov": "http://open.vocab.org/terms/",
};

const DDC_SCHEME = "http://purl.org/dc/terms/DDC";
const LCC_SCHEME = "http://purl.org/dc/terms/LCC";

const DATETIME_TYPE = "http://www.w3.org/2001/XMLSchema#dateTime";

function toNamedAuthor(author: CatalogRecord, baseUrl: string): SerializedElement {
  const name = textElement("foaf:name", textOf(author["name"]));
  return element("rdf:Description", name, { "rdf:about": uriOf(author, baseUrl) });
}

function toClassifications(dewey: Json | undefined, congress: Json | undefined): SerializedElement[] {
  return [...toClassElements(DDC_SCHEME, dewey), ...toClassElements(LCC_SCHEME, congress)];
}

function toClassElements(scheme: string, values: Json | undefined): SerializedElement[] {
  const numbers = stringsOf(values).filter((value) => value !== "");
  return numbers.map((value) =>
    element("dcterms:subject", [
      element("rdf:Description", [resourceLink("dcam:memberOf", scheme), element("rdf:value", value)]),
    ]),
  );
}

function toWebPages(links: Json | undefined): SerializedElement[] {
  return objectsOf(links).flatMap(({ url, title }) => {
    const address = textOf(url);
    if (address === undefined || address === "") return [];
    const label = textElement("rdfs:label", textOf(title));
    return [element("foaf:page", [element("foaf:Document", label, { "rdf:about": address })])];
  });
}

function describeDocument(record: CatalogRecord): SerializedElement {
  const { revision } = record;
  const members = [
    ...toTimeElement("dcterms:modified", record["last_modified"]),
    ...toTimeElement("dcterms:created", record["created"]),
    ...textElement("ov:versionnumber", typeof revision === "number" ? String(revision) : undefined),
  ];
  return element("rdf:Description", members, { "rdf:about": "" });
}

function toTimeElement(name: string, value: Json | undefined): SerializedElement[] {
  const text = textOf(value);
  return text === undefined || text === "" ? [] : [element(name, text, { "rdf:datatype": DATETIME_TYPE })];
}

function uriOf(record: CatalogRecord, baseUrl: string): string {
  return baseUrl + (keyOf(record) ?? "");
}

const SAME_AS: readonly (readonly [source: string, base: string])[] = [
  ["isni", "http://isni.org/isni/"],
  ["wikidata", "http://www.wikidata.org/entity/"],
  ["viaf", "http://viaf.org/viaf/"],
];

function describeAuthor({ record, baseUrl, coversUrl }: RdfInput): SerializedElement[] {
  const name = [textOf(record["name"]), textOf(record["enumeration"])].filter(Boolean).join(", ");
  const members = [
    ...textElement("foaf:name", name),
    ...textElements("rdg2:variantNameForThePerson", stringsOf(record["alternate_names"])),
    ...textElement("rdg2:biographicalInformation", textOf(record["bio"])),
    ...textElement("rdg2:titleOfThePerson", textOf(record["title"])),
    ...toLifeEvent("bio:Birth", record["birth_date"]),
    ...toLifeEvent("bio:Death", record["death_date"]),
    ...toSameAs(record["remote_ids"]),
    ...toPrimaryTopic(record["wikipedia"]),
    ...toWebPages(record["links"]),
    ...toDepictions(record["photos"], coversUrl),
  ];
  const about = { "rdf:about": uriOf(record, baseUrl) };
  return [element(agentClassOf(record), members, about), describeDocument(record)];
}

function agentClassOf(author: CatalogRecord): string {
  if (author["entity_type"] === "org") return "foaf:Organization";
  const isDated = Boolean(textOf(author["birth_date"])) || Boolean(textOf(author["death_date"]));
  return isDated ? "foaf:Person" : "foaf:Agent";
}

function toLifeEvent(name: string, date: Json | undefined): SerializedElement[] {
  const dated = textElement("dcterms:date", textOf(date));
  return dated.length === 0 ? [] : [element("bio:event", [element(name, dated)])];
}

function toSameAs(remoteIds: Json | undefined): SerializedElement[] {
  if (!isObject(remoteIds)) return [];
  return SAME_AS.flatMap(([source, base]) =>
    normalizeNumbers(source, remoteIds[source]).map((id) => resourceLink("owl:sameAs", base + id)),
  );
}

function toPrimaryTopic(wikipedia: Json | undefined): SerializedElement[] {
  const url = textOf(wikipedia);
  return url === undefined || url === "" ? [] : [resourceLink("foaf:isPrimaryTopicOf", url)];
}

function toDepictions(photos: Json | undefined, coversUrl: string): SerializedElement[] {
  const ids = elementsOf(photos).filter((id) => typeof id === "number" && id > 0);
  return ids.map((id) =>
    element("foaf:depiction", [element("foaf:Image", [], { "rdf:about": `${coversUrl}/a/id/${id}-L.jpg` })]),
  );
}

const COLLECTION = { "rdf:parseType": "Collection" };

function describeEdition(input: RdfInput): SerializedElement[] {
  const { record, baseUrl } = input;
  const title = [textOf(record["title"]), textOf(record["subtitle"])].filter(Boolean).join(": ");
  const languages = keysOf(record["languages"]).map(lastSegmentOf);
  const members = [
    ...toManifestedWork(input),
    ...toPeople(input),
    ...textElement("dcterms:title", title),
    ...textElements("dcterms:publisher", stringsOf(record["publishers"])),
    ...textElements("rdvocab:placeOfPublication", stringsOf(record["publish_places"])),
    ...textElement("dcterms:issued", textOf(record["publish_date"])),
    ...textElement("dcterms:extent", extentOf(record)),
    ...textElement("rdvocab:dimensions", textOf(record["physical_dimensions"])),
    ...textElement("bibo:edition", textOf(record["edition_name"])),
    ...textElements("dc:subject", stringsOf(record["subjects"])),
    ...toClassifications(record["dewey_decimal_class"], record["lc_classifications"]),
    ...textElement("dcterms:description", textOf(record["description"])),
    ...textElement("rdvocab:note", textOf(record["notes"])),
    ...textElements("dcterms:language", languages),
    ...textElement("dcterms:identifier", keyOf(record)),
    ...textElements("bibo:oclcnum", normalizeNumbers("oclc_numbers", record["oclc_numbers"])),
    ...textElements("bibo:lccn", normalizeNumbers("lccn", record["lccn"])),
    ...textElements("bibo:isbn10", normalizeNumbers("isbn_10", record["isbn_10"])),
    ...textElements("bibo:isbn13", normalizeNumbers("isbn_13", record["isbn_13"])),
  ];
  const about = { "rdf:about": uriOf(record, baseUrl) };
  return [element("rdf:Description", members, about), describeDocument(record)];
}

function toManifestedWork({ record, work, baseUrl }: RdfInput): SerializedElement[] {
  const key = keyOf(work) ?? keyOf(elementsOf(record["works"])[0]);
  return key === undefined ? [] : [resourceLink("rdrel:workManifested", baseUrl + key)];
}

function toPeople({ record, work, authors, baseUrl }: RdfInput): SerializedElement[] {
  const ofWork = authorsOf(work?.["authors"], authors);
  const credited = ofWork.length > 0 ? ofWork : authorsOf(record["authors"], authors);
  const list = credited.map((author) => toNamedAuthor(author, baseUrl));
  return [
    element("bibo:authorList", list, COLLECTION),
    ...toContributorList(record["contributors"]),
    ...textElements("dcterms:contributor", stringsOf(record["contributions"])),
  ];
}

function toContributorList(contributors: Json | undefined): SerializedElement[] {
  const agents = elementsOf(contributors).flatMap((contributor) => {
    const name = textElement("foaf:name", isObject(contributor) ? textOf(contributor["name"]) : undefined);
    return name.length === 0 ? [] : [element("foaf:Agent", name)];
  });
  return agents.length === 0 ? [] : [element("bibo:contributorList", agents, COLLECTION)];
}

function extentOf({ pagination, number_of_pages: pages }: CatalogRecord): string | undefined {
  const stated = textOf(pagination);
  if (stated !== undefined && stated !== "") return stated;
  return typeof pages === "number" ? String(pages) : textOf(pages);
}

function describeWork({ record, authors, editions = [], baseUrl }: RdfInput): SerializedElement[] {
  const creators = authorsOf(record["authors"], authors).map((author) =>
    element("dcterms:creator", [toNamedAuthor(author, baseUrl)]),
  );
  const uri = uriOf(record, baseUrl);
  const coverage = [...stringsOf(record["subject_places"]), ...stringsOf(record["subject_times"])];
  const members = [
    ...textElement("dcterms:title", textOf(record["title"])),
    ...creators,
    ...textElements("dcterms:subject", stringsOf(record["subjects"])),
    ...textElements("dcterms:coverage", coverage),
    ...textElement("dcterms:description", textOf(record["description"])),
    ...toClassifications(record["dewey_number"], record["lc_classifications"]),
    ...textElement("dcterms:date", textOf(record["first_publish_date"])),
    ...textElements("dcterms:alternative", stringsOf(record["other_titles"])),
    ...toWebPages(record["links"]),
  ];
  return [
    element("frbr:Work", members, { "rdf:about": uri }),
    ...editions.slice(0, RDF_EDITIONS_MAX).map((edition) => toManifestation(edition, uri, baseUrl)),
    describeDocument(record),
  ];
}

function toManifestation(edition: CatalogRecord, workUri: string, baseUrl: string): SerializedElement {
  const members = [
    resourceLink("rdrel:workManifested", workUri),
    ...textElement("dcterms:title", textOf(edition["title"])),
    ...textElement("dcterms:date", textOf(edition["publish_date"])),
  ];
  return element("rdf:Description", members, { "rdf:about": uriOf(edition, baseUrl) });
}

const DESCRIPTIONS = new Map<string, (input: RdfInput) => SerializedElement[]>([
  ["/type/edition", describeEdition],
  ["/type/work", describeWork],
  ["/type/author", describeAuthor],
]);

/** Renders an edition, work or author as RDF/XML. Returns undefined for records of every other type. */
export function renderRdf(input: RdfInput): string | undefined {
  const description = DESCRIPTIONS.get(typeKeyOf(input.record) ?? "");
  return description === undefined
    ? undefined
    : renderXmlDocument(element("rdf:RDF", description(input), NAMESPACES));
}
