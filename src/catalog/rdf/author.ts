import { type CatalogRecord, type Json, isObject, stringsOf, textOf } from "../record.ts";
import type { RdfInput } from "./input.ts";
import { administrative, arrayOf, pages, uriOf } from "./parts.ts";
import { type XmlElement, element, resource, textElement, textElements } from "./xml.ts";

/** What the URI of a person starts with in other catalogs, by the name of the identifier's source. */
const SAME_AS: readonly (readonly [source: string, base: string])[] = [
  ["isni", "http://isni.org/isni/"],
  ["wikidata", "http://www.wikidata.org/entity/"],
  ["viaf", "http://viaf.org/viaf/"],
];

/** An author's description (records.md 2.4). */
export function authorDescription({ record, baseUrl, coversUrl }: RdfInput): XmlElement[] {
  const members = [
    ...names(record),
    ...lifeEvent("bio:Birth", record["birth_date"]),
    ...lifeEvent("bio:Death", record["death_date"]),
    ...sameAs(record["remote_ids"]),
    ...primaryTopic(record["wikipedia"]),
    ...pages(record["links"]),
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
  const ids = arrayOf(photos).filter((id) => typeof id === "number" && id > 0);
  return ids.map((id) =>
    element("foaf:depiction", [element("foaf:Image", [], { "rdf:about": `${coversUrl}/a/id/${id}-L.jpg` })]),
  );
}
