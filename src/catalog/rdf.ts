import { lastSegment } from "./keys.ts";
import {
  type RdfInput,
  NAMESPACES,
  RDF_EDITIONS_MAX,
  describeDocument,
  toClassifications,
  toNamedAuthor,
  uriOf,
  toWebPages,
} from "./rdf-parts.ts";
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
  typeKey,
} from "./record.ts";
import { type XmlElement, element, resource, textElement, textElements, xmlDocument } from "./xml.ts";

/** URI prefixes of a person in other catalogs, by the name of the identifier's source. */
const SAME_AS: readonly (readonly [source: string, base: string])[] = [
  ["isni", "http://isni.org/isni/"],
  ["wikidata", "http://www.wikidata.org/entity/"],
  ["viaf", "http://viaf.org/viaf/"],
];

function describeAuthor({ record, baseUrl, coversUrl }: RdfInput): XmlElement[] {
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

function toLifeEvent(name: string, date: Json | undefined): XmlElement[] {
  const dated = textElement("dcterms:date", textOf(date));
  return dated.length === 0 ? [] : [element("bio:event", [element(name, dated)])];
}

function toSameAs(remoteIds: Json | undefined): XmlElement[] {
  if (!isObject(remoteIds)) return [];
  return SAME_AS.flatMap(([source, base]) =>
    stringsOf(remoteIds[source])
      .filter((id) => id !== "")
      .map((id) => resource("owl:sameAs", base + id)),
  );
}

function toPrimaryTopic(wikipedia: Json | undefined): XmlElement[] {
  const url = textOf(wikipedia);
  return url === undefined || url === "" ? [] : [resource("foaf:isPrimaryTopicOf", url)];
}

function toDepictions(photos: Json | undefined, coversUrl: string): XmlElement[] {
  const ids = elementsOf(photos).filter((id) => typeof id === "number" && id > 0);
  return ids.map((id) =>
    element("foaf:depiction", [element("foaf:Image", [], { "rdf:about": `${coversUrl}/a/id/${id}-L.jpg` })]),
  );
}

const COLLECTION = { "rdf:parseType": "Collection" };

function describeEdition(input: RdfInput): XmlElement[] {
  const { record, baseUrl } = input;
  const title = [textOf(record["title"]), textOf(record["subtitle"])].filter(Boolean).join(": ");
  const languages = keysOf(record["languages"]).map(lastSegment);
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
    ...textElements("bibo:oclcnum", stringsOf(record["oclc_numbers"])),
    ...textElements("bibo:lccn", stringsOf(record["lccn"])),
    ...textElements("bibo:isbn10", stringsOf(record["isbn_10"])),
    ...textElements("bibo:isbn13", stringsOf(record["isbn_13"])),
  ];
  const about = { "rdf:about": uriOf(record, baseUrl) };
  return [element("rdf:Description", members, about), describeDocument(record)];
}

function toManifestedWork({ record, work, baseUrl }: RdfInput): XmlElement[] {
  const key = keyOf(work) ?? keyOf(elementsOf(record["works"])[0]);
  return key === undefined ? [] : [resource("rdrel:workManifested", baseUrl + key)];
}

function toPeople({ record, work, authors, baseUrl }: RdfInput): XmlElement[] {
  const ofWork = authorsOf(work?.["authors"], authors);
  const credited = ofWork.length > 0 ? ofWork : authorsOf(record["authors"], authors);
  const list = credited.map((author) => toNamedAuthor(author, baseUrl));
  return [
    element("bibo:authorList", list, COLLECTION),
    ...toContributorList(record["contributors"]),
    ...textElements("dcterms:contributor", stringsOf(record["contributions"])),
  ];
}

function toContributorList(contributors: Json | undefined): XmlElement[] {
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

/** Describes a work, with a short description of each of its editions. */
function describeWork({ record, authors, editions = [], baseUrl }: RdfInput): XmlElement[] {
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

function toManifestation(edition: CatalogRecord, workUri: string, baseUrl: string): XmlElement {
  const members = [
    resource("rdrel:workManifested", workUri),
    ...textElement("dcterms:title", textOf(edition["title"])),
    ...textElement("dcterms:date", textOf(edition["publish_date"])),
  ];
  return element("rdf:Description", members, { "rdf:about": uriOf(edition, baseUrl) });
}

const DESCRIPTIONS = new Map<string, (input: RdfInput) => XmlElement[]>([
  ["/type/edition", describeEdition],
  ["/type/work", describeWork],
  ["/type/author", describeAuthor],
]);

/** Renders an edition, work or author as RDF/XML. Returns undefined for records of every other type. */
export function renderRdf(input: RdfInput): string | undefined {
  const description = DESCRIPTIONS.get(typeKey(input.record) ?? "");
  return description === undefined
    ? undefined
    : xmlDocument(element("rdf:RDF", description(input), NAMESPACES));
}
