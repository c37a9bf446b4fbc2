import type { JsonObject } from "../catalog/record.ts";
import { type XmlElement, XML_DECLARATION, element, renderXmlDocument, xmlText } from "../catalog/xml.ts";
import { BIBFRAME_CONTEXT, toBibframeNodes } from "./bibframe.ts";
import { formatBibtex, formatRis, toCslItem } from "./citation-formats.ts";
import type { Book } from "./book.ts";
import { MODS, OAI_DC, toDublinCore, modsOfBook } from "./xml-formats.ts";
import { MARCXML, toMarcXml, toMarcText } from "./marc/containers.ts";
import { marcOfBook } from "./marc/record.ts";
import { SCHEMA_ORG, toSchemaBook } from "./schema-org.ts";

interface Format {
  readonly label: string;
  readonly contentType: string;
  /** Media type that selects it in `Accept`; undefined if several formats share it. */
  readonly accept?: string;
  one(book: Book): string;
  /** Parts of a document with many books: before the first, for each, between two, and after the last. */
  readonly many: {
    readonly open: string;
    piece(book: Book): string;
    readonly between: string;
    readonly close: string;
  };
}

function makeSequenceFormat(write: (book: Book) => string, between = ""): Pick<Format, "one" | "many"> {
  return { one: write, many: { open: "", piece: write, between, close: "" } };
}

/** Returns an XML format. The namespaces are declared by the root of one book, or by the root of the collection. */
function makeXmlFormat(
  write: (book: Book, attributes?: XmlElement["attributes"]) => XmlElement,
  declared: XmlElement["attributes"],
  root: string,
): Pick<Format, "one" | "many"> {
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

const formats = {
  bib: {
    label: "BibTeX",
    contentType: "application/x-bibtex; charset=utf-8",
    accept: "application/x-bibtex",
    ...makeSequenceFormat(formatBibtex, "\n"),
  },
  ris: {
    label: "RIS",
    contentType: "application/x-research-info-systems; charset=utf-8",
    accept: "application/x-research-info-systems",
    ...makeSequenceFormat(formatRis),
  },
  csljson: {
    label: "CSL-JSON",
    contentType: "application/vnd.citationstyles.csl+json",
    accept: "application/vnd.citationstyles.csl+json",
    // A CSL-JSON file is always a list, even with a single item.
    one: (book) => JSON.stringify([toCslItem(book)]),
    many: { open: "[", piece: (book) => JSON.stringify(toCslItem(book)), between: ",\n", close: "]" },
  },
  jsonld: {
    label: "JSON-LD (schema.org)",
    contentType: "application/ld+json",
    accept: "application/ld+json",
    one: (book) => formatSchema(toSchemaBook(book)),
    many: {
      open: `{"@context":"${SCHEMA_ORG}","@graph":[`,
      piece: (book) => JSON.stringify(toSchemaBook(book)),
      between: ",\n",
      close: "]}",
    },
  },
  mrc: {
    label: "MARC 21",
    contentType: "application/marc",
    accept: "application/marc",
    ...makeSequenceFormat((book) => toMarcText(marcOfBook(book))),
  },
  marcxml: {
    label: "MARCXML",
    contentType: "application/marcxml+xml; charset=utf-8",
    accept: "application/marcxml+xml",
    ...makeXmlFormat((book, attributes) => toMarcXml(marcOfBook(book), attributes), MARCXML, "collection"),
  },
  mods: {
    label: "MODS",
    contentType: "application/mods+xml; charset=utf-8",
    accept: "application/mods+xml",
    ...makeXmlFormat(modsOfBook, MODS, "modsCollection"),
  },
  dc: {
    label: "Dublin Core",
    contentType: "application/xml; charset=utf-8",
    ...makeXmlFormat(toDublinCore, OAI_DC, "records"),
  },
  bibframe: {
    label: "BIBFRAME 2 (JSON-LD)",
    contentType: "application/ld+json",
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
} satisfies Readonly<Record<string, Format>>;

/** Name of a format: the suffix of its addresses, without the dot. */
export type FormatName = keyof typeof formats;

/** Export formats. Register a new format here, with its writer. */
export const FORMATS: Readonly<Record<FormatName, Format>> = formats;

// The compiler types member names as plain strings.
export const FORMAT_NAMES = Object.keys(formats) as readonly FormatName[];

export const AUTHOR_FORMATS = ["jsonld"] as const satisfies readonly FormatName[];

export const FORMAT_TYPES = [
  ...new Set(Object.values(FORMATS).map(({ contentType }) => mediaType(contentType))),
];

/** Returns a media type without its parameters. */
export function mediaType(contentType: string): string {
  return contentType.replace(/;.*/, "");
}

export const SCHEMA_CONTEXT = { "@context": SCHEMA_ORG };

export function formatSchema(members: JsonObject): string {
  return JSON.stringify({ ...SCHEMA_CONTEXT, ...members });
}
