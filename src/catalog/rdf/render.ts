import { typeKey } from "../record.ts";
import { authorDescription } from "./author.ts";
import { editionDescription } from "./edition.ts";
import type { RdfInput } from "./input.ts";
import { NAMESPACES } from "./namespaces.ts";
import { workDescription } from "./work.ts";
import { type XmlElement, element, xmlDocument } from "./xml.ts";

const DESCRIPTIONS = new Map<string, (input: RdfInput) => XmlElement[]>([
  ["/type/edition", editionDescription],
  ["/type/work", workDescription],
  ["/type/author", authorDescription],
]);

/** RDF/XML of an edition, work or author (records.md 2.4); undefined for records of every other type. */
export function renderRdf(input: RdfInput): string | undefined {
  const description = DESCRIPTIONS.get(typeKey(input.record) ?? "");
  return description === undefined
    ? undefined
    : xmlDocument(element("rdf:RDF", description(input), NAMESPACES));
}
