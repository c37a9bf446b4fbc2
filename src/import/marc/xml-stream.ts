import { joinedBytes } from "../../catalog/bytes.ts";
import { XmlError } from "../xml/error.ts";
import { type RecordPiece, ByteBuffer } from "./stream.ts";
import { XML_RECORD_BYTES_MAX } from "./record.ts";
import { type Markup, markupAt } from "./xml-markup.ts";

/** Bytes of a chunk that are looked at together. */
const STEP_BYTES = 1 << 16;
const LESS_THAN = 0x3c;

/**
 * The records of a collection of MARCXML of any size, each as a document of its own: the start of the collection, one
 * record, the end. It goes by the tags alone, so that a record that is no XML costs the others nothing (Q306); that
 * one, and one that is too long, is given out as well, for `readMarcXml(decodeXml(bytes))` to refuse. Records that
 * begin before byte `from` are passed over; `source` begins at the start of the file. Throws XmlError at a document
 * type and at UTF-16.
 */
export async function* marcXmlRecords(
  source: AsyncIterable<Uint8Array>,
  { from = 0 }: { readonly from?: number } = {},
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
  /** Place of the start of the buffer in the file. */
  #offset = 0;
  /** Where to go on, in the buffer. */
  #at = 0;
  /** Start tag of the collection, with the declaration of the document, and its end tag. */
  #declaration: Uint8Array = new Uint8Array();
  #head: Uint8Array = new Uint8Array();
  #foot: Uint8Array = new Uint8Array();
  /** The record that is open begins at the start of the buffer, or before it when it is too long. */
  #inRecord = false;
  /** The start of a record that is too long, and the bytes of it that are dropped. */
  #overlong: Uint8Array | undefined;
  #dropped = 0;
  /** A comment or the like did not end: from then on they are not looked at. */
  #broken = false;
  /** There was a collection or a record. */
  #begun = false;

  add(chunk: Uint8Array): void {
    this.#buffer.append(chunk);
  }

  /** The records that are complete; at the end of the file what is left of one too. */
  *pieces(isLast: boolean): Generator<RecordPiece> {
    if (this.#offset === 0) checkEncoding(this.#buffer.view());
    for (;;) {
      const bytes = this.#buffer.view();
      const open = bytes.indexOf(LESS_THAN, this.#at);
      this.#at = open === -1 ? bytes.length : open;
      if (open === -1) break;
      const markup = markupAt(bytes, open, this.#broken);
      const isCut = markup.kind === "cut";
      if (isCut && !isLast && bytes.length - open < XML_RECORD_BYTES_MAX) break;
      if (isCut && markup.what === "section") this.#broken = true;
      const piece = this.#pass(isCut ? { kind: "other", end: open + 1 } : markup, open);
      if (piece !== undefined) yield piece;
      this.#tidy();
    }
    this.#tidy();
    if (isLast && this.#inRecord) yield this.#take(this.#buffer.length);
  }

  /** Goes past some markup, which may end a record or begin one. */
  #pass(markup: Exclude<Markup, { kind: "cut" }>, open: number): RecordPiece | undefined {
    this.#at = markup.end;
    switch (markup.kind) {
      case "doctype":
        // In front of everything it may declare entities. Later it is damage like any other.
        if (this.#begun) return undefined;
        throw new XmlError("document types are not read");
      case "declaration":
        if (this.#declaration.length === 0) this.#declaration = this.#buffer.slice(open, markup.end);
        return undefined;
      case "collection":
        if (!this.#inRecord) this.#open(open, markup);
        return undefined;
      case "record": {
        // A record within a record is one whose end is missing.
        const piece = this.#inRecord ? this.#take(open) : undefined;
        this.#drop(piece === undefined ? open : 0);
        this.#inRecord = true;
        this.#begun = true;
        return piece;
      }
      case "record-end":
        return this.#inRecord ? this.#take(markup.end) : undefined;
      default:
        return undefined;
    }
  }

  #open(at: number, { end, name }: { readonly end: number; readonly name: string }): void {
    this.#begun = true;
    this.#head = this.#buffer.slice(at, end);
    this.#foot = new TextEncoder().encode(`</${name}>`);
  }

  #take(length: number): RecordPiece {
    const own = this.#overlong ?? this.#buffer.slice(0, length);
    // What is too long is not closed, so that nobody takes it for a record.
    const foot = this.#overlong === undefined ? this.#foot : new Uint8Array();
    const bytes = joinedBytes([this.#declaration, this.#head, own, foot]);
    const piece = { offset: this.#offset - this.#dropped, length: this.#dropped + length, bytes };
    this.#drop(length);
    [this.#inRecord, this.#overlong, this.#dropped] = [false, undefined, 0];
    return piece;
  }

  #drop(count: number): void {
    this.#buffer.drop(count);
    this.#offset += count;
    this.#at = Math.max(0, this.#at - count);
  }

  /** Forgets what was passed and belongs to no record, or to one that is too long. */
  #tidy(): void {
    if (!this.#inRecord) this.#drop(this.#at);
    else if (this.#overlong !== undefined || this.#at > XML_RECORD_BYTES_MAX) {
      this.#overlong ??= this.#buffer.slice(0, XML_RECORD_BYTES_MAX);
      this.#dropped += this.#at;
      this.#drop(this.#at);
    }
  }
}

/** Tags are looked for byte by byte. */
function checkEncoding([first, second]: Uint8Array): void {
  if (first === 0 || second === 0 || (first ?? 0) >= 0xfe) throw new XmlError("UTF-16 is not read");
}
