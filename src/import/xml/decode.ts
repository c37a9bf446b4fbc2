import { MIB } from "../../catalog/units.ts";
import { TextError } from "../../catalog/texts.ts";
import { repairUtf8 } from "../../catalog/bytes.ts";
import { type ImportWarning, addWarning } from "../warning.ts";

/** Error in an XML document: not well-formed, too deep or too large, or with a document type. */
export class XmlError extends TextError {
  override readonly name = "XmlError";
}

/** Maximum length of a document read as a whole, in UTF-16 units. */
export const XML_LENGTH_MAX = 5 * MIB;
export const XML_NESTING_MAX = 100;
export const XML_ELEMENTS_MAX = 25_000;
/** Maximum number of attributes per document, including namespace declarations. */
export const XML_ATTRIBUTES_MAX = 40_000;
/** Maximum number of text pieces per document. Comments, CDATA sections and elements split text into pieces. */
export const XML_TEXTS_MAX = 200_000;

/** Number of bytes searched for the encoding declaration. */
const DECLARATION_BYTES = 200;
const ENCODING = /^<\?xml[^>]{0,150}?encoding\s{0,5}=\s{0,5}["']([A-Za-z][\w.-]{0,30})["']/;

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
const LATIN = new TextDecoder("windows-1252");
const ASCII = /^\p{ASCII}*$/u;

/**
 * Decodes a document as UTF-8, or by its byte order mark or declaration. What is UTF-8 is read as such, and what should be
 * but is not as damaged UTF-8 or as Windows-1252, each with a warning (Q771). Throws XmlError.
 */
export function decodeXml(bytes: Uint8Array, warnings: ImportWarning[] = []): string {
  const decoder = decoderOf(encodingOf(bytes));
  const isUnicode = decoder.encoding.startsWith("utf-");
  const text = decodeOrUndefined(decoder, bytes);
  const utf8 = isUnicode ? undefined : decodeOrUndefined(UTF_8, bytes);
  if (utf8 !== undefined && !ASCII.test(utf8)) {
    addWarning(warnings, "read-as-utf-8", ["encoding", decoder.encoding]);
    return utf8;
  }
  if (text !== undefined) return text;
  if (decoder.encoding !== "utf-8") throw new XmlError("xml.not_utf8", { encoding: decoder.encoding });
  const repaired = repairUtf8(bytes);
  addWarning(warnings, repaired === undefined ? "read-as-windows-1252" : "damaged-text", [
    "encoding",
    "utf-8",
  ]);
  return repaired ?? LATIN.decode(bytes);
}

function decodeOrUndefined(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
  } catch {
    throw new XmlError("xml.encoding", { encoding });
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const start = String.fromCharCode(...bytes.subarray(0, DECLARATION_BYTES)).replace(
    /^\u00EF\u00BB\u00BF/,
    "",
  );
  const named = ENCODING.exec(start.trimStart())?.[1] ?? "utf-8";
  // A declaration that is readable byte by byte cannot be UTF-16, even if it says so.
  return named.toLowerCase().startsWith("utf-16") ? "utf-8" : named;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", apos: "'", quot: '"' };
/** Maximum length of a reference in characters, including leading zeros. */
const REFERENCE_LENGTH_MAX = 32;
const NUMBER = /^#(?:([0-9]+)|x([0-9A-Fa-f]+))$/;

/** Replaces the five predefined entities and character references. Throws XmlError for any other reference. */
export function decodeReferences(text: string): string {
  let at = text.indexOf("&");
  if (at === -1) return text;
  let replaced = "";
  let copied = 0;
  while (at !== -1) {
    // The search is limited to a short piece, so that many unterminated ampersands take linear time.
    const length = text.slice(at + 1, at + 1 + REFERENCE_LENGTH_MAX).indexOf(";");
    if (length === -1) throw new XmlError("xml.ampersand");
    replaced += text.slice(copied, at) + resolveReference(text.slice(at + 1, at + 1 + length));
    copied = at + length + 2;
    at = text.indexOf("&", copied);
  }
  return replaced + text.slice(copied);
}

function resolveReference(name: string): string {
  if (!name.startsWith("#")) {
    const character = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
    if (character === undefined) throw new XmlError("xml.entity", { name });
    return character;
  }
  const [, decimal, hexadecimal = ""] = NUMBER.exec(name) ?? [];
  const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  if (!isXmlCharacter(code)) throw new XmlError("xml.reference", { name });
  return String.fromCodePoint(code);
}

function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7_ff || (code >= 0xe0_00 && code <= 0xff_fd) || (code >= 0x1_00_00 && code <= 0x10_ff_ff);
}
