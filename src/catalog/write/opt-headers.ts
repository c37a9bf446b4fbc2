import { type CatalogRecord, type Json, isObject } from "../record.ts";
import { DOCUMENT_DEPTH_MAX, isTooDeep } from "./depth.ts";
import type { WriteFailure } from "./failure.ts";
import { badDocument } from "./failures.ts";

/** What the headers of a request say about its change. */
export interface OptHeaders {
  readonly comment?: string;
  /** Kind of the change, as sent: `clientKind` says whether a client may use it. */
  readonly action?: string;
  readonly data?: CatalogRecord;
}

const OPT = /^\s*"([^"]*)"\s*;\s*ns\s*=\s*(\d\d)\s*$/;
const EXTENSION_PATH = "/dev/docs/api";

/**
 * Reads `Opt: "http://host/dev/docs/api"; ns=42` and the headers `42-comment`, `42-action` and `42-data` that it
 * announces (records.md 4.6). `get` is the look-up of a header by its name in any case. An `Opt` of another form is
 * ignored; one that names another extension fails, and so does data that is no JSON object.
 */
export function readOptHeaders(get: (name: string) => string | null): OptHeaders | WriteFailure {
  const [, extension, prefix] = OPT.exec(get("Opt") ?? "") ?? [];
  if (extension === undefined || prefix === undefined) return {};
  // Q93: clients name the host that they talk to, whatever it is called.
  if (!extension.endsWith(EXTENSION_PATH)) {
    return badDocument(`Bad Opt: expected an address ending in ${EXTENSION_PATH}`, undefined, extension);
  }
  const comment = get(`${prefix}-comment`);
  const action = get(`${prefix}-action`) ?? "";
  const dataText = get(`${prefix}-data`) ?? "";
  const data = dataText.trim() === "" ? undefined : parsedData(headerText(dataText));
  if (typeof data === "string") return badDocument(data, undefined);
  return {
    ...(comment === null ? {} : { comment: headerText(comment) }),
    ...(action === "" ? {} : { action }),
    ...(data === undefined ? {} : { data }),
  };
}

/** The JSON object, or what is wrong with the text. */
function parsedData(text: string): CatalogRecord | string {
  try {
    // Any JSON text parses to JSON.
    const value = JSON.parse(text) as Json;
    if (!isObject(value)) return "Bad JSON: the data is no object";
    return isTooDeep(value) ? `Bad JSON: nested deeper than ${DOCUMENT_DEPTH_MAX} values` : value;
  } catch (error) {
    if (error instanceof SyntaxError) return `Bad JSON: ${error.message}`;
    throw error;
  }
}

/** A header's text: clients send UTF-8, which some runtimes hand over as one character a byte. */
function headerText(text: string): string {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  if (codes.every((code) => code < 0x80) || codes.some((code) => code > 0xff)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(codes));
  } catch (error) {
    if (error instanceof TypeError) return text;
    throw error;
  }
}
