import type { JsonObject } from "../catalog/record.ts";

interface Format {
  readonly label: string;
  readonly contentType: string;
  /** Media type that selects it in `Accept`; undefined if several formats share it. */
  readonly accept?: string;
}

const formats = {
  bib: {
    label: "BibTeX",
    contentType: "application/x-bibtex; charset=utf-8",
    accept: "application/x-bibtex",
  },
  ris: {
    label: "RIS",
    contentType: "application/x-research-info-systems; charset=utf-8",
    accept: "application/x-research-info-systems",
  },
  csljson: {
    label: "CSL-JSON",
    contentType: "application/vnd.citationstyles.csl+json",
    accept: "application/vnd.citationstyles.csl+json",
  },
  jsonld: {
    label: "JSON-LD (schema.org)",
    contentType: "application/ld+json",
    accept: "application/ld+json",
  },
  mrc: {
    label: "MARC 21",
    contentType: "application/marc",
    accept: "application/marc",
  },
  marcxml: {
    label: "MARCXML",
    contentType: "application/marcxml+xml; charset=utf-8",
    accept: "application/marcxml+xml",
  },
  mods: {
    label: "MODS",
    contentType: "application/mods+xml; charset=utf-8",
    accept: "application/mods+xml",
  },
  dc: {
    label: "Dublin Core",
    contentType: "application/xml; charset=utf-8",
  },
  bibframe: {
    label: "BIBFRAME 2 (JSON-LD)",
    contentType: "application/ld+json",
  },
} satisfies Readonly<Record<string, Format>>;

/** Name of a format: the suffix of its addresses, without the dot. */
export type FormatName = keyof typeof formats;

/** Export formats. Register a new format here, and its writer in format-writers.ts. */
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

export const SCHEMA_ORG = "https://schema.org";
export const SCHEMA_CONTEXT = { "@context": SCHEMA_ORG };

export function formatSchema(members: JsonObject): string {
  return JSON.stringify({ ...SCHEMA_CONTEXT, ...members });
}
