import { type XmlElement, element } from "../../catalog/xml.ts";
import type { Book } from "../../export/book.ts";
import { MODS, OAI_DC, dublinCore, modsOfBook } from "../../export/xml-formats.ts";
import { MARCXML, marcXml } from "../../export/marc/containers.ts";
import { marcOfBook } from "../../export/marc/record.ts";

/** A schema that records are given in. */
export interface RecordSchema {
  readonly name: string;
  /** As http://www.loc.gov/standards/sru/recordSchemas/ has it. */
  readonly identifier: string;
  readonly title: string;
  readonly write: (book: Book) => XmlElement;
}

/** Dublin Core without the container of OAI. */
const SRW_DC = {
  "xmlns:srw_dc": "info:srw/schema/1/dc-schema",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
};

/** The first one is that of requests which name none. */
export const RECORD_SCHEMAS: readonly [RecordSchema, ...RecordSchema[]] = [
  {
    name: "marcxml",
    identifier: "info:srw/schema/1/marcxml-v1.1",
    title: "MARCXML",
    write: (book) => marcXml(marcOfBook(book), MARCXML),
  },
  {
    name: "mods",
    identifier: "info:srw/schema/1/mods-v3.8",
    title: "MODS 3.8",
    write: (book) => modsOfBook(book, MODS),
  },
  {
    name: "dc",
    identifier: "info:srw/schema/1/dc-v1.1",
    title: "Dublin Core",
    write: (book) => element("srw_dc:dc", dublinCore(book).content, SRW_DC),
  },
  {
    name: "oai_dc",
    identifier: "http://www.openarchives.org/OAI/2.0/oai_dc/",
    title: "Dublin Core as in OAI-PMH",
    write: (book) => dublinCore(book, OAI_DC),
  },
];
