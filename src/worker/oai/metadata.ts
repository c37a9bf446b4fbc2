import { type XmlElement, element } from "../../catalog/xml.ts";
import type { Book } from "../../export/book.ts";
import { OAI_DC, dublinCore } from "../../export/xml-formats.ts";
import { MARCXML, marcXml } from "../../export/marc/containers.ts";
import { marcOfBook } from "../../export/marc/record.ts";
import { OaiError } from "./errors.ts";

interface Metadata {
  readonly schema: string;
  readonly namespace: string;
  readonly write: (book: Book) => XmlElement;
}

const FORMATS = new Map<string, Metadata>([
  [
    "oai_dc",
    {
      schema: "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
      namespace: OAI_DC["xmlns:oai_dc"],
      write: (book) => dublinCore(book, OAI_DC),
    },
  ],
  [
    "marc21",
    {
      schema: "http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd",
      namespace: MARCXML.xmlns,
      write: (book) => marcXml(marcOfBook(book), MARCXML),
    },
  ],
]);

/** What writes a book in the format of a prefix. */
export function metadataWriter(prefix: string): Metadata["write"] {
  const format = FORMATS.get(prefix);
  if (format === undefined) throw new OaiError("cannotDisseminateFormat", "There is no such format.");
  return format.write;
}

/** The formats, which all records have that are not deleted. */
export function listedFormats(): XmlElement[] {
  return [...FORMATS].map(([prefix, { schema, namespace }]) =>
    element("metadataFormat", [
      element("metadataPrefix", prefix),
      element("schema", schema),
      element("metadataNamespace", namespace),
    ]),
  );
}
