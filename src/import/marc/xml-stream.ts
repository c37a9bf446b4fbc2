import { joinBytes } from "../../catalog/bytes.ts";
import { XML_NESTING_MAX, XmlError } from "../xml/decode.ts";
import { type RecordPiece, ByteBuffer } from "./stream.ts";
import { XML_HEAD_BYTES_MAX, XML_RECORD_BYTES_MAX } from "./record.ts";

const STEP_BYTES = 1 << 16;
const LESS_THAN = 0x3c;

/**
 * Splits an XML file of any size that has MARC records, in a collection or in envelopes such as those of OAI and SRU, into
 * separate documents: an element with the namespaces in scope, and one record. Only tags are parsed, so that an invalid
 * record does not affect the others (Q306). Invalid and overlong records are yielded as well, for `decodeMarcXml` to
 * reject; a `record` without fields of MARC is an envelope (Q778). Skips records that start before byte `from`; `source`
 * starts at the beginning of the file. Throws XmlError for a document type and for UTF-16.
 */
export async function* splitMarcXmlRecords(
  source: AsyncIterable<Uint8Array>,
  { from = 0 }: { from?: number } = {},
): AsyncGenerator<RecordPiece> {
  const splitter = new CollectionSplitter();
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      splitter.add(chunk.subarray(at, at + STEP_BYTES));
      for (const piece of splitter.pieces(false)) if (piece.offset >= from) yield piece;
    }
  }
  for (const piece of splitter.pieces(true)) if (piece.offset >= from) yield piece;
}

class CollectionSplitter {
  readonly #buffer = new ByteBuffer();
  #offset = 0;
  #at = 0;
  /** Declaration of the document. */
  #declaration: Uint8Array = new Uint8Array();
  /** Declared namespaces of the open elements, without those inside a record with fields. */
  #scopes: string[] = [];
  /** True if a record is open. It starts at the start of the buffer, or before it if it is overlong. */
  #inRecord = false;
  #hasFields = false;
  /** Number of elements that were open before the record. */
  #outside = 0;
  #overlong: Uint8Array | undefined;
  #dropped = 0;
  /** True after an unterminated comment or section. From then on these are not recognised. */
  #isBroken = false;
  #hasBegun = false;

  add(chunk: Uint8Array): void {
    this.#buffer.append(chunk);
  }

  /** Yields the complete records, and at the end of the file an incomplete one. */
  *pieces(isLast: boolean): Generator<RecordPiece> {
    if (this.#offset === 0) checkEncoding(this.#buffer.view());
    for (;;) {
      const bytes = this.#buffer.view();
      const open = bytes.indexOf(LESS_THAN, this.#at);
      this.#at = open === -1 ? bytes.length : open;
      if (open === -1) break;
      const markup = markupAt(bytes, open, { isBroken: this.#isBroken, isField: this.#hasFields });
      const isCut = markup.kind === "cut";
      if (isCut && !isLast && bytes.length - open < XML_RECORD_BYTES_MAX) break;
      if (isCut && markup.what === "section") this.#isBroken = true;
      const piece = this.#pass(isCut ? { kind: "other", end: open + 1 } : markup, open);
      if (piece !== undefined) yield piece;
      this.#tidy();
    }
    this.#tidy();
    if (isLast && this.#hasFields) yield this.#take(this.#buffer.length);
  }

  #pass(markup: Exclude<Markup, { kind: "cut" }>, open: number): RecordPiece | undefined {
    this.#at = markup.end;
    switch (markup.kind) {
      case "doctype":
        // Before all other elements it may declare entities. Later it is ordinary damage.
        if (this.#hasBegun) return undefined;
        throw new XmlError("xml.doctype");
      case "declaration":
        if (this.#declaration.length === 0) this.#declaration = this.#buffer.slice(open, markup.end);
        return undefined;
      case "field":
        this.#hasFields = this.#inRecord;
        return undefined;
      case "start":
        this.#enter(open, markup.end);
        return undefined;
      case "end":
        this.#scopes.pop();
        return undefined;
      case "record": {
        // A record within one that has fields means that the end of the first one is missing.
        const piece = this.#hasFields ? this.#take(open) : undefined;
        const isLong = this.#overlong !== undefined;
        this.#drop(piece === undefined ? open : 0);
        if (isLong) [this.#overlong, this.#dropped] = [undefined, 0];
        this.#outside = this.#scopes.length;
        this.#enter(0, this.#at);
        this.#inRecord = true;
        return piece;
      }
      case "record-end":
        if (this.#hasFields) return this.#take(markup.end);
        this.#scopes.pop();
        [this.#inRecord, this.#overlong, this.#dropped] = [false, undefined, 0];
        return undefined;
      default:
        return undefined;
    }
  }

  /** Adds the namespaces that a start tag declares to those in scope. Throws XmlError. */
  #enter(from: number, to: number): void {
    this.#hasBegun = true;
    const tag = new TextDecoder().decode(this.#buffer.slice(from, to));
    if (tag.endsWith("/>")) return;
    if (this.#scopes.length >= XML_NESTING_MAX) throw new XmlError("xml.depth", { most: XML_NESTING_MAX });
    this.#scopes.push(Array.from(tag.matchAll(NAMESPACE), ([declared]) => declared).join(""));
  }

  #take(length: number): RecordPiece {
    const recordBytes = this.#overlong ?? this.#buffer.slice(0, length);
    const scopes = this.#scopes.slice(0, this.#outside);
    const [head, foot] = [scopes.map((scope) => `<in${scope}>`).join(""), "</in>".repeat(scopes.length)];
    // An overlong record is left unclosed, so that it is not mistaken for a valid one.
    const end = this.#overlong === undefined ? foot : "";
    const bytes = joinBytes([this.#declaration, ENCODER.encode(head), recordBytes, ENCODER.encode(end)]);
    const piece = { offset: this.#offset - this.#dropped, length: this.#dropped + length, bytes };
    this.#drop(length);
    this.#scopes.length = this.#outside;
    [this.#inRecord, this.#hasFields, this.#overlong, this.#dropped] = [false, false, undefined, 0];
    return piece;
  }

  #drop(count: number): void {
    this.#buffer.drop(count);
    this.#offset += count;
    this.#at = Math.max(0, this.#at - count);
  }

  /** Discards processed bytes that belong to no record, or to an overlong one. */
  #tidy(): void {
    if (!this.#inRecord) this.#drop(this.#at);
    else if (this.#overlong !== undefined || this.#at > XML_RECORD_BYTES_MAX) {
      this.#overlong ??= this.#buffer.slice(0, XML_RECORD_BYTES_MAX);
      this.#dropped += this.#at;
      this.#drop(this.#at);
    }
  }
}

/** Throws XmlError for UTF-16, because tags are searched byte by byte. */
function checkEncoding([first, second]: Uint8Array): void {
  if (first === 0 || second === 0 || (first ?? 0) >= 0xfe) throw new XmlError("not_imported.utf16");
}

/** Markup that starts with "<", and the offset after it. "cut": more bytes are needed to decide. */
type Markup =
  | { readonly kind: "cut"; readonly what: "section" | "tag" }
  | { readonly kind: MarkupKind; readonly end: number };
type MarkupKind = "record" | "record-end" | "field" | "start" | "end" | "doctype" | "declaration" | "other";

/** Elements of MARC records only. */
const FIELDS: ReadonlySet<string> = new Set(["leader", "controlfield", "datafield", "subfield"]);
const NAMESPACE = /\sxmlns(?::[\w.-]{1,64})?\s*=\s*(?:"[^"<]*"|'[^'<]*')/g;
const ENCODER = new TextEncoder();
const NAME_LENGTH_MAX = 64;
const SLASH = 0x2f;
const GREATER_THAN = 0x3e;

const COMMENT = ["<!--", "-->"] as const;
const CDATA = ["<![CDATA[", "]]>"] as const;

/**
 * Classifies the markup at a "<". Skips whole comments, CDATA sections and processing instructions, unless `isBroken`:
 * after an unterminated one, searching for the ends of others would scan the file repeatedly. `isField`: a record with
 * fields is open, of which only the end matters.
 */
function markupAt(
  bytes: Uint8Array,
  open: number,
  { isBroken, isField }: { isBroken: boolean; isField: boolean },
): Markup {
  const next = bytes[open + 1];
  if (next === undefined) return { kind: "cut", what: "tag" };
  if (next === 0x3f) return instructionAt(bytes, open, isBroken);
  if (next === 0x21) return declarationAt(bytes, open, isBroken);
  const isEnd = next === SLASH;
  const name = nameAt(bytes, open + (isEnd ? 2 : 1));
  if (name === undefined) return { kind: "cut", what: "tag" };
  const local = name.slice(name.indexOf(":") + 1);
  const isRecord = local === "record";
  if (!isRecord && (isField || FIELDS.has(local)))
    return { kind: isEnd ? "other" : "field", end: open + 1 + name.length };
  const end = findTagEnd(bytes, open);
  if (end === -1) return { kind: "cut", what: "tag" };
  if (isRecord) return { kind: isEnd ? "record-end" : "record", end };
  return { kind: isEnd ? "end" : "start", end };
}

function instructionAt(bytes: Uint8Array, open: number, isBroken: boolean): Markup {
  if (isBroken) return { kind: "other", end: open + 2 };
  const end = findText(bytes, "?>", open);
  if (end === -1) return { kind: "cut", what: "section" };
  const isDeclaration = nameAt(bytes, open + 2) === "xml";
  return { kind: isDeclaration ? "declaration" : "other", end: end + 2 };
}

function declarationAt(bytes: Uint8Array, open: number, isBroken: boolean): Markup {
  for (const [start, end] of [COMMENT, CDATA]) {
    const begins = beginsWith(bytes, open, start);
    if (begins === "cut") return { kind: "cut", what: "tag" };
    if (!begins) continue;
    if (isBroken) return { kind: "other", end: open + start.length };
    const at = findText(bytes, end, open + start.length);
    return at === -1 ? { kind: "cut", what: "section" } : { kind: "other", end: at + end.length };
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
function findTagEnd(bytes: Uint8Array, open: number): number {
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

function findText(bytes: Uint8Array, text: string, from: number): number {
  const first = text.charCodeAt(0);
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    const begins = beginsWith(bytes, at, text);
    if (begins === true) return at;
    if (begins === "cut") return -1;
  }
  return -1;
}
