import { type CatalogRecord, authorsOf, stringsOf, textOf } from "../record.ts";
import { RDF_EDITIONS_MAX, type RdfInput } from "./input.ts";
import { administrative, classifications, namedAuthor, pages, uriOf } from "./parts.ts";
import { type XmlElement, element, resource, textElement, textElements } from "./xml.ts";

/** A work's description, and a short one of each of its editions (records.md 2.4). */
export function workDescription({ record, authors, editions = [], baseUrl }: RdfInput): XmlElement[] {
  const creators = authorsOf(record["authors"], authors).map((author) =>
    element("dcterms:creator", [namedAuthor(author, baseUrl)]),
  );
  const uri = uriOf(record, baseUrl);
  const members = [...textElement("dcterms:title", textOf(record["title"])), ...creators, ...about(record)];
  return [
    element("frbr:Work", members, { "rdf:about": uri }),
    ...editions.slice(0, RDF_EDITIONS_MAX).map((edition) => manifestation(edition, uri, baseUrl)),
    administrative(record),
  ];
}

function about(work: CatalogRecord): XmlElement[] {
  const coverage = [...stringsOf(work["subject_places"]), ...stringsOf(work["subject_times"])];
  return [
    ...textElements("dcterms:subject", stringsOf(work["subjects"])),
    ...textElements("dcterms:coverage", coverage),
    ...textElement("dcterms:description", textOf(work["description"])),
    ...classifications(work["dewey_number"], work["lc_classifications"]),
    ...textElement("dcterms:date", textOf(work["first_publish_date"])),
    ...textElements("dcterms:alternative", stringsOf(work["other_titles"])),
    ...pages(work["links"]),
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
