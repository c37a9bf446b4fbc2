import { decoded } from "../../path-pattern.ts";

/** Forms in which a record can be read; undefined is the page of a person (records.md 2.1). */
export type Encoding = "json" | "yml" | "rdf" | "opds" | "marcxml" | undefined;

/** What a record path asks for. */
export interface RecordPath {
  /** The path without its encoding, percent-decoded: `/books/OL1M` or `/books/OL1M/Some_Title`. */
  readonly key: string;
  readonly encoding: Encoding;
  /** The suffix as it stood on the path, such as `.json`; empty without one. */
  readonly suffix: string;
}

const ACCEPTED: ReadonlyMap<string, Encoding> = new Map([
  ["application/json", "json"],
  ["application/rdf+xml", "rdf"],
  ["text/x-yaml", "yml"],
  ["application/marcxml+xml", "marcxml"],
]);
const SUFFIX = /^(.+)\.(json|yml|rdf|opds|marcxml)$/;

/** Reads the record path: `Accept` decides before the suffix (Q1). */
export function recordPath(pathname: string, accept: string | null): RecordPath {
  const path = decoded(pathname);
  const [, key = path, suffix] = SUFFIX.exec(path) ?? [];
  const accepted = accept === null ? undefined : ACCEPTED.get(preferredType(accept));
  // The pattern lets no other suffix through.
  return {
    key,
    encoding: accepted ?? (suffix as Encoding),
    suffix: suffix === undefined ? "" : `.${suffix}`,
  };
}

/** The media range with the highest `q`, the first of several. */
function preferredType(accept: string): string {
  if (!accept.includes(",") && !accept.includes(";")) return accept.trim().toLowerCase();
  let best = { type: "", quality: 0 };
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";");
    const quality = qualityOf(parameters);
    if (quality > best.quality) best = { type: type.trim().toLowerCase(), quality };
  }
  return best.type;
}

function qualityOf(parameters: readonly string[]): number {
  const parameter = parameters.find((text) => /^\s*q\s*=/i.test(text));
  const quality = parameter === undefined ? 1 : Number(parameter.split("=")[1]);
  return Number.isNaN(quality) ? 0 : quality;
}
