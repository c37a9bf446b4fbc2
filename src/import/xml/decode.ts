import { XmlError } from "./error.ts";

/** Bytes in which a declaration names its encoding. */
const DECLARATION_BYTES = 200;
const ENCODING = /^<\?xml[^>]{0,150}?encoding\s{0,5}=\s{0,5}["']([A-Za-z][\w.-]{0,30})["']/;

/** The text of a document: UTF-8, or the encoding of its mark or declaration. Throws XmlError. */
export function decodeXml(bytes: Uint8Array): string {
  const decoder = decoderOf(encodingOf(bytes));
  try {
    return decoder.decode(bytes);
  } catch {
    throw new XmlError(`the document is not ${decoder.encoding}`);
  }
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
  } catch {
    throw new XmlError(`the encoding ${encoding} is not read`);
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
  // A declaration that could be read byte by byte is not in UTF-16, whatever it says.
  return named.toLowerCase().startsWith("utf-16") ? "utf-8" : named;
}
