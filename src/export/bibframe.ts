import type { JsonObject } from "../catalog/record.ts";
import { type Book, extentOf, fullTitleOf } from "./book.ts";
import { dropEmptyMembers } from "./values.ts";
import type { Agent } from "./agents.ts";

const LANGUAGES = "http://id.loc.gov/vocabulary/languages/";

/** JSON-LD context. Names without a prefix are those of BIBFRAME 2: https://id.loc.gov/ontologies/bibframe.html */
export const BIBFRAME_CONTEXT: JsonObject = {
  "@vocab": "http://id.loc.gov/ontologies/bibframe/",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  bflc: "http://id.loc.gov/ontologies/bflc/",
};

/** Returns the nodes of a book: for an edition its Instance and Work, for a work the Work and its Instances. */
export function toBibframeNodes(book: Book): JsonObject[] {
  if (book.isWork) {
    const instances = book.editions.map(({ url, title }) => ({
      "@id": url,
      "@type": "Instance",
      title: titleOf(title),
      instanceOf: { "@id": book.url },
    }));
    return [{ ...toWorkNode(book, book.url), hasInstance: instances.map(idOf) }, ...instances];
  }
  // The Work of an edition without one gets an id derived from the edition's.
  const work = book.work?.url ?? `${book.url}#work`;
  return [toInstanceNode(book, work), { ...toWorkNode(book, work), hasInstance: [{ "@id": book.url }] }];
}

function idOf(node: JsonObject): JsonObject {
  return { "@id": node["@id"] };
}

function toWorkNode(book: Book, id: string): JsonObject {
  const title = book.isWork ? fullTitleOf(book) : (book.work?.title ?? book.title);
  const about = (type: string, labels: readonly string[]) =>
    labels.map((label) => toLabelledNode(type, label));
  return dropEmptyMembers({
    "@id": id,
    "@type": ["Work", "Text"],
    title: titleOf(title),
    contribution: book.agents.map(toContribution),
    language: book.languages.map((code) => ({ "@id": LANGUAGES + code, "@type": "Language" })),
    originDate: book.isWork ? book.date : undefined,
    subject: [
      ...about("Topic", book.subjects),
      ...about("Place", book.subjectPlaces),
      ...about("Temporal", book.times),
      ...about("Person", book.people),
    ],
    genreForm: about("GenreForm", book.genres),
    classification: [
      ...book.congressClasses.map((mark) => ({ "@type": "ClassificationLcc", classificationPortion: mark })),
      ...book.deweyClasses.map((mark) => ({ "@type": "ClassificationDdc", classificationPortion: mark })),
    ],
    summary: book.description === undefined ? undefined : toLabelledNode("Summary", book.description),
    tableOfContents:
      book.contents.length === 0 ? undefined : toLabelledNode("TableOfContents", book.contents.join(" -- ")),
  });
}

function toInstanceNode(book: Book, work: string): JsonObject {
  const extent = extentOf(book);
  return dropEmptyMembers({
    "@id": book.url,
    "@type": "Instance",
    title: dropEmptyMembers({ "@type": "Title", mainTitle: book.title, subtitle: book.subtitle }),
    responsibilityStatement: book.byStatement,
    editionStatement: book.edition,
    provisionActivity: dropEmptyMembers({
      "@type": ["ProvisionActivity", "Publication"],
      date: book.date,
      place: book.publishPlaces.map((place) => toLabelledNode("Place", place)),
      agent: book.publishers.map((publisher) => toLabelledNode("Agent", publisher)),
    }),
    copyrightDate: book.copyrightDate,
    extent: extent === undefined ? undefined : toLabelledNode("Extent", extent),
    dimensions: book.dimensions,
    seriesStatement: book.series.map(({ title }) => title),
    seriesEnumeration: book.series.flatMap(({ number }) => number ?? []),
    note: book.notes === undefined ? undefined : toLabelledNode("Note", book.notes),
    identifiedBy: [
      ...toIdentifiers("Isbn", [...book.isbn13, ...book.isbn10]),
      ...toIdentifiers("Lccn", book.lccn),
      ...toIdentifiers("OclcNumber", book.oclc),
      ...book.numbers.map(([source, id]) => ({
        ...toIdentifier("Identifier", id),
        source: toLabelledNode("Source", source),
      })),
    ],
    electronicLocator: book.scanUrl === undefined ? undefined : { "@id": book.scanUrl },
    instanceOf: { "@id": work },
  });
}

function toIdentifiers(type: string, values: readonly string[]): JsonObject[] {
  return values.map((value) => toIdentifier(type, value));
}

function toIdentifier(type: string, value: string): JsonObject {
  return { "@type": type, "rdf:value": value };
}

function toLabelledNode(type: string, label: string): JsonObject {
  return { "@type": type, "rdfs:label": label };
}

function titleOf(text: string): JsonObject {
  return { "@type": "Title", mainTitle: text };
}

const KINDS = { person: "Person", org: "Organization", event: "Meeting" };

function toContribution({ name, kind, role, url }: Agent, index: number): JsonObject {
  return dropEmptyMembers({
    "@type": index === 0 && url !== undefined ? ["Contribution", "bflc:PrimaryContribution"] : "Contribution",
    agent: dropEmptyMembers({ "@id": url, "@type": ["Agent", KINDS[kind]], "rdfs:label": name }),
    role: toLabelledNode("Role", role ?? "Author"),
  });
}
