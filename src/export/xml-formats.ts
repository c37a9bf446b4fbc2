import { type PublicationDate, formatIsoDate } from "../catalog/publication-date.ts";
import { type SerializedElement, element, textElement, textElements } from "../catalog/xml.ts";
import { articleOf } from "./articles.ts";
import { type Agent, agentRoleOf, agentsInRole, namePartsOf, sortedNameOf } from "./agents.ts";
import { type Book, allNumbersOf, allTitlesOf, extentOf, fullTitleOf, tagOf } from "./book.ts";
import { exportDateOf } from "./dates.ts";
import { sameAsUrlsOf } from "./values.ts";

/** Namespace declarations of `oai_dc`: https://www.openarchives.org/OAI/2.0/oai_dc.xsd */
export const OAI_DC = {
  "xmlns:oai_dc": "http://www.openarchives.org/OAI/2.0/oai_dc/",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation":
    "http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
};

export function toDublinCore(
  book: Book,
  attributes: SerializedElement["attributes"] = {},
): SerializedElement {
  const creators = agentsInRole(book, "author");
  const contributors = book.agents.filter((agent) => agentRoleOf(agent) !== "author");
  const isbns = [...book.isbn13, ...book.isbn10].map((isbn) => `urn:isbn:${isbn}`);
  const children = [
    ...textElement("dc:title", fullTitleOf(book)),
    ...textElements("dc:creator", creators.map(sortedNameOf)),
    ...textElements("dc:contributor", contributors.map(sortedNameOf)),
    ...textElements("dc:publisher", book.publishers),
    ...textElement("dc:date", exportDateOf(book.issued).iso ?? book.date),
    ...textElement("dc:type", "Text"),
    ...textElement("dc:format", extentOf(book)),
    ...textElement("dc:format", book.format),
    ...textElements("dc:language", book.languages.map(tagOf)),
    ...textElements("dc:subject", [...book.subjects, ...book.people]),
    ...textElements("dc:coverage", [...book.subjectPlaces, ...book.times]),
    ...textElement("dc:description", book.description),
    ...textElement("dc:identifier", book.url),
    ...textElements("dc:identifier", isbns),
    ...textElements("dc:identifier", sameAsUrlsOf(allNumbersOf(book))),
    ...textElements(
      "dc:relation",
      [book.work?.url, ...book.editions.map(({ url }) => url)].filter((url) => url !== undefined),
    ),
  ];
  return element("oai_dc:dc", children, attributes);
}

/** Namespace declaration: https://www.loc.gov/standards/mods/v3/mods-3-8.xsd */
export const MODS = {
  xmlns: "http://www.loc.gov/mods/v3",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation": "http://www.loc.gov/mods/v3 http://www.loc.gov/standards/mods/v3/mods-3-8.xsd",
};

/** Converts a book to MODS 3.8. */
export function modsOfBook(book: Book, attributes: SerializedElement["attributes"] = {}): SerializedElement {
  const article = articleOf(book);
  const children = [
    ...wrap("titleInfo", [
      ...textElement("nonSort", article.trim()),
      ...textElement("title", book.title.slice(article.length)),
      ...textElement("subTitle", book.subtitle),
    ]),
    ...allTitlesOf(book).map((title) =>
      element("titleInfo", [element("title", title)], { type: "alternative" }),
    ),
    ...book.agents.map(nameOf),
    element("typeOfResource", book.material.mods),
    ...textElements("genre", book.genres),
    ...originInfoOf(book),
    ...languagesOf(book.languages),
    ...physicalDescriptionOf(book),
    ...textElement("abstract", book.description),
    ...textElement("tableOfContents", book.contents.join(" -- ")),
    ...noteOf("statement of responsibility", book.byStatement),
    ...textElement("note", book.notes),
    ...allSubjectsOf(book),
    ...book.congressClasses.map((mark) => element("classification", mark, { authority: "lcc" })),
    ...book.deweyClasses.map((mark) => element("classification", mark, { authority: "ddc" })),
    ...book.series.map(relatedSeriesOf),
    ...(book.work === undefined ? [] : [relatedItemOf("otherVersion", book.work)]),
    ...book.editions.map((edition) => relatedItemOf("otherVersion", edition)),
    ...allIdentifiersOf(book),
    element("location", [
      element("url", book.url, { usage: "primary display", access: "object in context" }),
      ...(book.scanUrl === undefined ? [] : [element("url", book.scanUrl, { access: "raw object" })]),
    ]),
    recordInfoOf(book),
  ];
  return element("mods", children, { ...attributes, version: "3.8" });
}

function wrap(name: string, children: readonly SerializedElement[]): SerializedElement[] {
  return children.length === 0 ? [] : [element(name, children)];
}

function noteOf(type: string, text: string | undefined): SerializedElement[] {
  return text === undefined ? [] : [element("note", text, { type })];
}

const KINDS = { person: "personal", org: "corporate", event: "conference" };

function nameOf(agent: Agent): SerializedElement {
  const parts = namePartsOf(agent);
  const given = [parts?.given, parts?.particle].filter(Boolean).join(" ");
  const nameElements =
    parts === undefined
      ? [element("namePart", agent.name)]
      : [
          element("namePart", parts.family, { type: "family" }),
          ...(given === "" ? [] : [element("namePart", given, { type: "given" })]),
          ...(parts.suffix === "" ? [] : [element("namePart", parts.suffix, { type: "termsOfAddress" })]),
        ];
  const dates =
    agent.born === undefined && agent.died === undefined
      ? agent.lived
      : `${agent.born ?? ""}-${agent.died ?? ""}`;
  const children = [
    ...nameElements,
    ...(dates === undefined ? [] : [element("namePart", dates, { type: "date" })]),
    element("role", [element("roleTerm", agent.role?.toLowerCase() ?? "author", { type: "text" })]),
  ];
  return element("name", children, {
    type: KINDS[agent.kind],
    ...(agent.url === undefined ? {} : { valueURI: agent.url }),
  });
}

function originInfoOf(book: Book): SerializedElement[] {
  const { issued, date, copyrightDate } = book;
  return wrap("originInfo", [
    ...book.publishPlaces.map((place) => element("place", [element("placeTerm", place, { type: "text" })])),
    ...textElements("publisher", book.publishers),
    ...(date === undefined ? [] : [element("dateIssued", date, calendarOf(issued))]),
    ...(issued === undefined ? [] : codedDatesOf(issued)),
    ...textElement("copyrightDate", copyrightDate),
    ...textElement("edition", book.edition),
    element("issuance", "monographic"),
  ]);
}

function languagesOf(codes: readonly string[]): SerializedElement[] {
  return codes.map((code) =>
    element("language", [element("languageTerm", code, { type: "code", authority: "iso639-2b" })]),
  );
}

function calendarOf(issued: PublicationDate | undefined): SerializedElement["attributes"] {
  return issued?.calendar === undefined ? {} : { calendar: issued.calendar };
}

function codedDatesOf(issued: PublicationDate): SerializedElement[] {
  const { certainty: qualifier, lastYear, ...first } = issued;
  const shared = { encoding: "w3cdtf", ...(qualifier !== undefined && { qualifier }) };
  if (lastYear === undefined)
    return [element("dateIssued", formatIsoDate(first), { ...shared, keyDate: "yes" })];
  return [
    element("dateIssued", formatIsoDate(first), { ...shared, keyDate: "yes", point: "start" }),
    element("dateIssued", formatIsoDate({ year: lastYear }), { ...shared, point: "end" }),
  ];
}

function physicalDescriptionOf(book: Book): SerializedElement[] {
  return wrap("physicalDescription", [
    ...textElement("form", book.format),
    ...textElement("extent", extentOf(book)),
    ...textElement("extent", book.dimensions),
  ]);
}

function subjectsOf(tag: string, texts: readonly string[]): SerializedElement[] {
  return texts.map((text) => element("subject", [element(tag, text)]));
}

function allSubjectsOf({ subjects: topics, subjectPlaces, times, people }: Book): SerializedElement[] {
  return [
    ...subjectsOf("topic", topics),
    ...subjectsOf("geographic", subjectPlaces),
    ...subjectsOf("temporal", times),
    ...people.map((person) =>
      element("subject", [element("name", [element("namePart", person)], { type: "personal" })]),
    ),
  ];
}

function relatedSeriesOf({ title, number }: Book["series"][number]): SerializedElement {
  const info = [element("title", title), ...textElement("partNumber", number)];
  return element("relatedItem", [element("titleInfo", info)], { type: "series" });
}

function relatedItemOf(
  type: string,
  { title, url }: { readonly title: string; readonly url: string },
): SerializedElement {
  const children = [
    element("titleInfo", [element("title", title)]),
    element("identifier", url, { type: "uri" }),
  ];
  return element("relatedItem", children, { type });
}

function identifiersOf(type: string, ids: readonly string[]): SerializedElement[] {
  return ids.map((id) => element("identifier", id, { type }));
}

function allIdentifiersOf(book: Book): SerializedElement[] {
  return [
    ...identifiersOf("uri", [book.url]),
    ...identifiersOf("isbn", [...book.isbn13, ...book.isbn10]),
    ...identifiersOf("lccn", book.lccn),
    ...identifiersOf("oclc", book.oclc),
    ...book.numbers.flatMap(([source, id]) => identifiersOf(source, [id])),
  ];
}

function timeElementOf(tag: string, value: string | undefined): SerializedElement[] {
  return value === undefined ? [] : [element(tag, `${value.slice(0, 19)}Z`, { encoding: "w3cdtf" })];
}

function recordInfoOf({ id, created, modified }: Book): SerializedElement {
  return element("recordInfo", [
    ...timeElementOf("recordCreationDate", created),
    ...timeElementOf("recordChangeDate", modified),
    element("recordIdentifier", id),
  ]);
}
