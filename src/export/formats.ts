import type { JsonObject } from "../catalog/record.ts";
import { type XmlElement, XML_DECLARATION, element, xmlDocument, xmlText } from "../catalog/xml.ts";
import { BIBFRAME_CONTEXT, bibframeNodes } from "./bibframe.ts";
import { bibtexEntry } from "./bibtex.ts";
import type { Book } from "./book.ts";
import { cslItem } from "./csl.ts";
import { OAI_DC, dublinCore } from "./dublin-core.ts";
import { MARCXML, marcText, marcXml } from "./marc/containers.ts";
import { marcOfBook } from "./marc/record.ts";
import { MODS, modsOfBook } from "./mods.ts";
import { risReference } from "./ris.ts";
import { SCHEMA_ORG, schemaBook } from "./schema-org.ts";

/** How books are written in a format that others read. */
interface Format {
  /** What people call it. */
  readonly label: string;
  readonly contentType: string;
  /** Media type that asks for it in `Accept`; undefined where several formats have the same. */
  readonly accept?: string;
  /** One book, as a document of its own. */
  one(book: Book): string;
  /** What stands in a document of many: before the first book, for each, between two, and after the last. */
  readonly many: {
    readonly open: string;
    piece(book: Book): string;
    readonly between: string;
    readonly close: string;
  };
}

/** A format whose documents are one book after the other. */
function sequence(write: (book: Book) => string, between = ""): Pick<Format, "one" | "many"> {
  return { one: write, many: { open: "", piece: write, between, close: "" } };
}

/** A format of XML: the root of one book declares what that of many declares in its stead. */
function xmlFormat(
  write: (book: Book, attributes?: XmlElement["attributes"]) => XmlElement,
  declared: XmlElement["attributes"],
  root: string,
): Pick<Format, "one" | "many"> {
  const open = xmlText(element(root, " ", declared)).replace(/ <\/[^]*$/, "\n");
  return {
    one: (book) => xmlDocument(write(book, declared)),
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
    ...sequence(bibtexEntry, "\n"),
  },
  ris: {
    label: "RIS",
    contentType: "application/x-research-info-systems; charset=utf-8",
    accept: "application/x-research-info-systems",
    ...sequence(risReference),
  },
  csljson: {
    label: "CSL-JSON",
    contentType: "application/vnd.citationstyles.csl+json",
    accept: "application/vnd.citationstyles.csl+json",
    // Files of it are lists, and so is one of a single item.
    one: (book) => JSON.stringify([cslItem(book)]),
    many: { open: "[", piece: (book) => JSON.stringify(cslItem(book)), between: ",\n", close: "]" },
  },
  jsonld: {
    label: "JSON-LD (schema.org)",
    contentType: "application/ld+json",
    accept: "application/ld+json",
    one: (book) => schemaText(schemaBook(book)),
    many: {
      open: `{"@context":"${SCHEMA_ORG}","@graph":[`,
      piece: (book) => JSON.stringify(schemaBook(book)),
      between: ",\n",
      close: "]}",
    },
  },
  mrc: {
    label: "MARC 21",
    contentType: "application/marc",
    accept: "application/marc",
    ...sequence((book) => marcText(marcOfBook(book))),
  },
  marcxml: {
    label: "MARCXML",
    contentType: "application/marcxml+xml; charset=utf-8",
    accept: "application/marcxml+xml",
    ...xmlFormat((book, attributes) => marcXml(marcOfBook(book), attributes), MARCXML, "collection"),
  },
  mods: {
    label: "MODS",
    contentType: "application/mods+xml; charset=utf-8",
    accept: "application/mods+xml",
    ...xmlFormat(modsOfBook, MODS, "modsCollection"),
  },
  dc: {
    label: "Dublin Core",
    contentType: "application/xml; charset=utf-8",
    ...xmlFormat(dublinCore, OAI_DC, "records"),
  },
  bibframe: {
    label: "BIBFRAME 2 (JSON-LD)",
    contentType: "application/ld+json",
    one: (book) => JSON.stringify({ "@context": BIBFRAME_CONTEXT, "@graph": bibframeNodes(book) }),
    many: {
      open: `{"@context":${JSON.stringify(BIBFRAME_CONTEXT)},"@graph":[`,
      piece: (book) =>
        bibframeNodes(book)
          .map((node) => JSON.stringify(node))
          .join(",\n"),
      between: ",\n",
      close: "]}",
    },
  },
} satisfies Readonly<Record<string, Format>>;

/** A format by the suffix of its addresses, without the dot. */
export type FormatName = keyof typeof formats;

/** The formats of exports. A new one has its writer, and stands here. */
export const FORMATS: Readonly<Record<FormatName, Format>> = formats;

// The compiler takes the names of members for any texts.
export const FORMAT_NAMES = Object.keys(formats) as readonly FormatName[];

/** Those that authors have too. */
export const AUTHOR_FORMATS = ["jsonld"] as const satisfies readonly FormatName[];

/** Their media types, each once. */
export const FORMAT_TYPES = [
  ...new Set(Object.values(FORMATS).map(({ contentType }) => mediaType(contentType))),
];

/** A media type without its parameters. */
export function mediaType(contentType: string): string {
  return contentType.replace(/;.*/, "");
}

/** What documents of schema.org begin with. */
export const SCHEMA_CONTEXT = { "@context": SCHEMA_ORG };

/** A document of schema.org. */
export function schemaText(described: JsonObject): string {
  return JSON.stringify({ ...SCHEMA_CONTEXT, ...described });
}
