import { type CatalogRecord, type Json, isObject, keyOf, stringsOf, textOf } from "../record.ts";
import { DATETIME_TYPE, DDC_SCHEME, LCC_SCHEME } from "./namespaces.ts";
import { type XmlElement, element, resource, textElement } from "./xml.ts";

/** `rdf:Description` of an author by URI and name. */
export function namedAuthor(author: CatalogRecord, baseUrl: string): XmlElement {
  const name = textElement("foaf:name", textOf(author["name"]));
  return element("rdf:Description", name, { "rdf:about": uriOf(author, baseUrl) });
}

/** Dewey and Library of Congress classes. */
export function classifications(dewey: Json | undefined, congress: Json | undefined): XmlElement[] {
  return [...classified(DDC_SCHEME, dewey), ...classified(LCC_SCHEME, congress)];
}

function classified(scheme: string, values: Json | undefined): XmlElement[] {
  const numbers = stringsOf(values).filter((value) => value !== "");
  return numbers.map((value) =>
    element("dcterms:subject", [
      element("rdf:Description", [resource("dcam:memberOf", scheme), element("rdf:value", value)]),
    ]),
  );
}

/** `foaf:page` for each link that has an address. */
export function pages(links: Json | undefined): XmlElement[] {
  return arrayOf(links)
    .filter(isObject)
    .flatMap(({ url, title }) => {
      const address = textOf(url);
      if (address === undefined || address === "") return [];
      const label = textElement("rdfs:label", textOf(title));
      return [element("foaf:page", [element("foaf:Document", label, { "rdf:about": address })])];
    });
}

/** The description of the document itself: when it was written, and which revision it shows. */
export function administrative(record: CatalogRecord): XmlElement {
  const { revision } = record;
  const members = [
    ...time("dcterms:modified", record["last_modified"]),
    ...time("dcterms:created", record["created"]),
    ...textElement("ov:versionnumber", typeof revision === "number" ? String(revision) : undefined),
  ];
  return element("rdf:Description", members, { "rdf:about": "" });
}

function time(name: string, value: Json | undefined): XmlElement[] {
  const text = textOf(value);
  return text === undefined || text === "" ? [] : [element(name, text, { "rdf:datatype": DATETIME_TYPE })];
}

/** Subject URI of a record. */
export function uriOf(record: CatalogRecord, baseUrl: string): string {
  return baseUrl + (keyOf(record) ?? "");
}

/** The elements of a member that should be an array. */
export function arrayOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
