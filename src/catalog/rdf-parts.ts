import { type CatalogRecord, type Json, keyOf, objectsOf, stringsOf, textOf } from "./record.ts";
import { type XmlElement, element, resource, textElement } from "./xml.ts";

/** Maximum number of editions in the description of a work. */
export const RDF_EDITIONS_MAX = 20;

/** Data of an RDF description. All records are as readers see them (`readView`); nothing is fetched. */
export interface RdfInput {
  /** Record to describe: an edition, a work or an author. */
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

/** Namespace declarations of every document. */
export const NAMESPACES: Readonly<Record<string, string>> = {
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

/** Encoding schemes of classification numbers. */
const DDC_SCHEME = "http://purl.org/dc/terms/DDC";
const LCC_SCHEME = "http://purl.org/dc/terms/LCC";

/** Datatype of times. */
const DATETIME_TYPE = "http://www.w3.org/2001/XMLSchema#dateTime";

/** Returns an `rdf:Description` of an author by URI and name. */
export function toNamedAuthor(author: CatalogRecord, baseUrl: string): XmlElement {
  const name = textElement("foaf:name", textOf(author["name"]));
  return element("rdf:Description", name, { "rdf:about": uriOf(author, baseUrl) });
}

/** Returns Dewey and Library of Congress classes. */
export function toClassifications(dewey: Json | undefined, congress: Json | undefined): XmlElement[] {
  return [...toClassElements(DDC_SCHEME, dewey), ...toClassElements(LCC_SCHEME, congress)];
}

function toClassElements(scheme: string, values: Json | undefined): XmlElement[] {
  const numbers = stringsOf(values).filter((value) => value !== "");
  return numbers.map((value) =>
    element("dcterms:subject", [
      element("rdf:Description", [resource("dcam:memberOf", scheme), element("rdf:value", value)]),
    ]),
  );
}

/** Returns a `foaf:page` for each link with an address. */
export function toWebPages(links: Json | undefined): XmlElement[] {
  return objectsOf(links).flatMap(({ url, title }) => {
    const address = textOf(url);
    if (address === undefined || address === "") return [];
    const label = textElement("rdfs:label", textOf(title));
    return [element("foaf:page", [element("foaf:Document", label, { "rdf:about": address })])];
  });
}

/** Returns the description of the document itself: its times, and the revision it shows. */
export function describeDocument(record: CatalogRecord): XmlElement {
  const { revision } = record;
  const members = [
    ...toTimeElement("dcterms:modified", record["last_modified"]),
    ...toTimeElement("dcterms:created", record["created"]),
    ...textElement("ov:versionnumber", typeof revision === "number" ? String(revision) : undefined),
  ];
  return element("rdf:Description", members, { "rdf:about": "" });
}

function toTimeElement(name: string, value: Json | undefined): XmlElement[] {
  const text = textOf(value);
  return text === undefined || text === "" ? [] : [element(name, text, { "rdf:datatype": DATETIME_TYPE })];
}

/** Returns the subject URI of a record. */
export function uriOf(record: CatalogRecord, baseUrl: string): string {
  return baseUrl + (keyOf(record) ?? "");
}
