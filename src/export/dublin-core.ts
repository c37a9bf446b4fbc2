import { type XmlElement, element, textElement, textElements } from "../catalog/xml.ts";
import { type Book, allNumbersOf } from "./book.ts";
import { fullTitleOf, tagOf } from "./csl.ts";
import { formatIsoDate } from "./dates.ts";
import { agentRoleOf, sortedNameOf } from "./names.ts";
import { sameAsUrlsOf } from "./numbers.ts";

/** Namespace declarations of `oai_dc`: https://www.openarchives.org/OAI/2.0/oai_dc.xsd */
export const OAI_DC = {
  "xmlns:oai_dc": "http://www.openarchives.org/OAI/2.0/oai_dc/",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation":
    "http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
};

/** Converts a book to simple Dublin Core. */
export function dublinCore(book: Book, attributes: XmlElement["attributes"] = {}): XmlElement {
  const creators = book.agents.filter((agent) => agentRoleOf(agent) === "author");
  const contributors = book.agents.filter((agent) => agentRoleOf(agent) !== "author");
  const { pages, pagination, format } = book;
  const extent = pagination ?? (pages === undefined ? undefined : `${pages} pages`);
  const children = [
    ...textElement("dc:title", fullTitleOf(book)),
    ...textElements("dc:creator", creators.map(sortedNameOf)),
    ...textElements("dc:contributor", contributors.map(sortedNameOf)),
    ...textElements("dc:publisher", book.publishers),
    ...textElement("dc:date", book.issued === undefined ? book.date : formatIsoDate(book.issued)),
    ...textElement("dc:type", "Text"),
    ...textElement("dc:format", extent),
    ...textElement("dc:format", format),
    ...textElements("dc:language", book.languages.map(tagOf)),
    ...textElements("dc:subject", [...book.subjects, ...book.people]),
    ...textElements("dc:coverage", [...book.subjectPlaces, ...book.times]),
    ...textElement("dc:description", book.description),
    ...textElement("dc:identifier", book.url),
    ...textElements(
      "dc:identifier",
      [...book.isbn13, ...book.isbn10].map((isbn) => `urn:isbn:${isbn}`),
    ),
    ...textElements("dc:identifier", sameAsUrlsOf(allNumbersOf(book))),
    ...textElements(
      "dc:relation",
      [book.work?.url, ...book.editions.map(({ url }) => url)].filter((url) => url !== undefined),
    ),
  ];
  return element("oai_dc:dc", children, attributes);
}
