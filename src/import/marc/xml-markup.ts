import { XML_HEAD_BYTES_MAX } from "./record.ts";

/** Markup that starts with "<", and the offset after it. "cut": more bytes are needed to decide. */
export type Markup =
  | { readonly kind: "cut"; readonly what: "section" | "tag" }
  | { readonly kind: "collection"; readonly end: number; readonly name: string }
  | {
      readonly kind: "record" | "record-end" | "doctype" | "declaration" | "other";
      readonly end: number;
    };

/** Maximum number of bytes read of a tag's name. */
const NAME_LENGTH_MAX = 64;
const SLASH = 0x2f;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;

const COMMENT = ["<!--", "-->"] as const;
const CDATA = ["<![CDATA[", "]]>"] as const;

/**
 * Classifies the markup at a "<". Skips whole comments, CDATA sections and processing instructions, unless `broken`:
 * after an unterminated one, searching for the ends of others would scan the file repeatedly.
 */
export function markupAt(bytes: Uint8Array, open: number, broken: boolean): Markup {
  const next = bytes[open + 1];
  if (next === undefined) return { kind: "cut", what: "tag" };
  if (next === 0x3f) return instructionAt(bytes, open, broken);
  if (next === 0x21) return declarationAt(bytes, open, broken);
  const isEnd = next === SLASH;
  const name = nameAt(bytes, open + (isEnd ? 2 : 1));
  if (name === undefined) return { kind: "cut", what: "tag" };
  const local = name.slice(name.indexOf(":") + 1);
  const isCollection = local === "collection" && !isEnd;
  if (local !== "record" && !isCollection) return { kind: "other", end: open + 1 + name.length };
  const end = tagEnd(bytes, open);
  if (end === -1) return { kind: "cut", what: "tag" };
  if (isCollection) return { kind: "collection", end, name };
  return { kind: isEnd ? "record-end" : "record", end };
}

function instructionAt(bytes: Uint8Array, open: number, broken: boolean): Markup {
  if (broken) return { kind: "other", end: open + 2 };
  const end = indexOf(bytes, "?>", open);
  if (end === -1) return { kind: "cut", what: "section" };
  const isDeclaration = nameAt(bytes, open + 2) === "xml";
  return { kind: isDeclaration ? "declaration" : "other", end: end + 2 };
}

function declarationAt(bytes: Uint8Array, open: number, broken: boolean): Markup {
  for (const [start, end] of [COMMENT, CDATA]) {
    const begins = beginsWith(bytes, open, start);
    if (begins === "cut") return { kind: "cut", what: "tag" };
    if (!begins) continue;
    if (broken) return { kind: "other", end: open + start.length };
    const found = indexOf(bytes, end, open + start.length);
    return found === -1 ? { kind: "cut", what: "section" } : { kind: "other", end: found + end.length };
  }
  const isDoctype = beginsWith(bytes, open, "<!DOCTYPE");
  if (isDoctype === "cut") return { kind: "cut", what: "tag" };
  return { kind: isDoctype ? "doctype" : "other", end: open + 2 };
}

/** Returns the name of a tag, or undefined if the bytes end before it does. */
function nameAt(bytes: Uint8Array, from: number): string | undefined {
  const longest = from + NAME_LENGTH_MAX;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20 || byte === SLASH || byte === GREATER_THAN || byte === LESS_THAN || at === longest) {
      return String.fromCharCode(...bytes.subarray(from, at));
    }
  }
  return undefined;
}

/** Returns the offset after the tag, or -1 if it is not terminated. Attribute values may contain ">". */
function tagEnd(bytes: Uint8Array, open: number): number {
  let quote = 0;
  const longest = open + XML_HEAD_BYTES_MAX;
  for (let at = open + 1; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    // A tag cannot contain another one, nor be this long: it is damaged, so it ends here.
    if (byte === LESS_THAN || at === longest) return at;
    if (quote !== 0) quote = byte === quote ? 0 : quote;
    else if (byte === 0x22 || byte === 0x27) quote = byte;
    else if (byte === GREATER_THAN) return at + 1;
  }
  return -1;
}

function beginsWith(bytes: Uint8Array, from: number, text: string): boolean | "cut" {
  for (let at = 0; at < text.length; at += 1) {
    const byte = bytes[from + at];
    if (byte === undefined) return "cut";
    if (byte !== text.charCodeAt(at)) return false;
  }
  return true;
}

function indexOf(bytes: Uint8Array, text: string, from: number): number {
  const first = text.charCodeAt(0);
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    const begins = beginsWith(bytes, at, text);
    if (begins === true) return at;
    if (begins === "cut") return -1;
  }
  return -1;
}
