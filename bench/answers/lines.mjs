/** The file of a record: a line for each request, with the answer that it got, as JSON. */
import { createReadStream } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";

/** @import { Listener } from "./service.mjs" */

/** Text of which names in double braces are filled in, or bytes. @typedef {{ text: string } | { gzip: string }} Content */
/**
 * What a later request needs of an answer: the first group of an expression that has found something, in the cookies,
 * or in the body or the address that the answer leads to. @typedef {{ in: "cookies" | "answer", match: string }} Kept
 */
/**
 * @typedef {object} Asked
 * @property {string} part why it is asked
 * @property {Listener} at
 * @property {string} by the name of whoever asks
 * @property {string} method
 * @property {string} target
 * @property {Record<string, string>} headers
 * @property {Content} [body]
 * @property {Record<string, Kept>} [keep] what later requests call by a name
 */
/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string | string[]>} headers
 * @property {string | { size: number, sha256: string, begin: string }} body whole, or the beginning of a long one or of bytes
 * @property {string} [problem] why it is not whole
 */
/** @typedef {{ asked: Asked, answer?: Answer }} Line */

const LONG_TEXT = 2000;
const NAMED = /\{\{([a-zA-Z]\w*)\}\}/g;

/** @param {string} file @returns {AsyncGenerator<Line>} */
export async function* readLines(file) {
  // Not by readline, which divides lines at U+2028 as well.
  let rest = "";
  for await (const part of createReadStream(file, "utf8")) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) yield JSON.parse(text);
  }
}

/** @param {Line} line */
export function lineText(line) {
  return `${JSON.stringify(line)}\n`;
}

/** @param {Buffer} bytes @returns {Content} */
export function contentOf(bytes) {
  const text = bytes.toString();
  const isShortText = bytes.length <= LONG_TEXT && Buffer.from(text).equals(bytes);
  return isShortText ? { text } : { gzip: gzipSync(bytes).toString("base64") };
}

/** @param {Content} content @param {ReadonlyMap<string, string>} names */
export function bytesOf(content, names) {
  if ("gzip" in content) return gunzipSync(Buffer.from(content.gzip, "base64"));
  return Buffer.from(filled(content.text, names));
}

/** Puts what names stand for into their places. @param {string} text @param {ReadonlyMap<string, string>} names */
export function filled(text, names) {
  return text.replace(NAMED, (_all, name) => names.get(name) ?? "");
}
