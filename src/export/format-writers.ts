import {
  type SerializedElement,
  XML_DECLARATION,
  element,
  renderXmlDocument,
  xmlText,
} from "../catalog/xml.ts";
import { BIBFRAME_CONTEXT, toBibframeNodes } from "./bibframe.ts";
import type { Book } from "./book.ts";
import { formatBibtex, formatRis, toCslItem } from "./citation-formats.ts";
import { type FormatName, SCHEMA_ORG, formatSchema } from "./formats.ts";
import { MARCXML, toMarcText, toMarcXml } from "./marc/containers.ts";
import { marcOfBook } from "./marc/record.ts";
import { toSchemaBook } from "./schema-org.ts";
import { MODS, OAI_DC, modsOfBook, toDublinCore } from "./xml-formats.ts";

interface FormatWriter {
  one(book: Book): string;
  /** Parts of a document with many books: before the first, for each, between two, and after the last. */
  readonly many: {
    readonly open: string;
    piece(book: Book): string;
    readonly between: string;
    readonly close: string;
  };
}

function makeSequenceFormat(write: (book: Book) => string, between = ""): FormatWriter {
  return { one: write, many: { open: "", piece: write, between, close: "" } };
}

/** Returns an XML format. The namespaces are declared by the root of one book, or by the root of the collection. */
function makeXmlFormat(
  write: (book: Book, attributes?: SerializedElement["attributes"]) => SerializedElement,
  declared: SerializedElement["attributes"],
  root: string,
): FormatWriter {
  const open = xmlText(element(root, " ", declared)).replace(/ <\/[^]*$/, "\n");
  return {
    one: (book) => renderXmlDocument(write(book, declared)),
    many: {
      open: XML_DECLARATION + open,
      piece: (book) => xmlText(write(book)),
      between: "",
      close: `</${root}>\n`,
    },
  };
}

/** Writers of the export formats. */
export const FORMAT_WRITERS: Readonly<Record<FormatName, FormatWriter>> = {
  bib: makeSequenceFormat(formatBibtex, "\n"),
  ris: makeSequenceFormat(formatRis),
  csljson: {
    // A CSL-JSON file is always a list, even with a single item.
    one: (book) => JSON.stringify([toCslItem(book)]),
    many: { open: "[", piece: (book) => JSON.stringify(toCslItem(book)), between: ",\n", close: "]" },
  },
  jsonld: {
    one: (book) => formatSchema(toSchemaBook(book)),
    many: {
      open: `{"@context":"${SCHEMA_ORG}","@graph":[`,
      piece: (book) => JSON.stringify(toSchemaBook(book)),
      between: ",\n",
      close: "]}",
    },
  },
  mrc: makeSequenceFormat((book) => toMarcText(marcOfBook(book))),
  marcxml: makeXmlFormat(
    (book, attributes) => toMarcXml(marcOfBook(book), attributes),
    MARCXML,
    "collection",
  ),
  mods: makeXmlFormat(modsOfBook, MODS, "modsCollection"),
  dc: makeXmlFormat(toDublinCore, OAI_DC, "records"),
  bibframe: {
    one: (book) => JSON.stringify({ "@context": BIBFRAME_CONTEXT, "@graph": toBibframeNodes(book) }),
    many: {
      open: `{"@context":${JSON.stringify(BIBFRAME_CONTEXT)},"@graph":[`,
      piece: (book) =>
        toBibframeNodes(book)
          .map((node) => JSON.stringify(node))
          .join(",\n"),
      between: ",\n",
      close: "]}",
    },
  },
};
