import type { TextKey, TextValues } from "../../catalog/texts.ts";
import {
  XML_ATTRIBUTES_MAX,
  XML_ELEMENTS_MAX,
  XML_LENGTH_MAX,
  XML_NESTING_MAX,
  XML_TEXTS_MAX,
  XmlError,
  decodeReferences,
} from "./decode.ts";
import { type RawAttribute, type XmlAttribute, Namespaces } from "./namespaces.ts";

type XmlEvent =
  | {
      readonly kind: "start";
      readonly namespace: string;
      readonly name: string;
      readonly attributes: readonly XmlAttribute[];
    }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "end" };

const END: XmlEvent = { kind: "end" };
/** Pattern of names: one repeated character class, without backtracking. */
const NAME =
  /[:A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u{200C}-\u{200D}\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}][-.0-9:A-Z_a-z\u00B7\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u037D\u037F-\u1FFF\u{200C}-\u{200D}\u203F\u2040\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}]*/uy;
// oxlint-disable-next-line no-control-regex -- these are the characters that XML has not
const NOT_XML = /[\0-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
const ONLY_SPACE = /^[ \t\n]*$/;
const DECLARATION = /<\?xml[ \t\n]/y;

/**
 * Pull parser for XML, linear in the length of the document: starts of elements with namespaces resolved, text with
 * references replaced, ends. Rejects document types, and skips comments and processing instructions.
 */
export class XmlPull {
  readonly #text: string;
  readonly #namespaces = new Namespaces();
  readonly #open: { readonly written: string; readonly declared: number }[] = [];
  #at = 0;
  #elements = 0;
  #attributes = 0;
  #texts = 0;
  /** True if the element just started is empty: its end comes next. */
  #isEmptyElement = false;

  /** Throws XmlError if the text is too long or has characters not allowed in XML. */
  constructor(text: string) {
    if (text.length > XML_LENGTH_MAX) throw new XmlError("xml.length", { most: XML_LENGTH_MAX });
    const plain = text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text;
    this.#text = plain.includes("\r") ? plain.replaceAll(/\r\n?/g, "\n") : plain;
    const odd = NOT_XML.exec(this.#text);
    if (odd !== null || !this.#text.isWellFormed()) {
      this.#at = odd?.index ?? 0;
      throw this.#error("xml.character");
    }
    if (this.#matches(DECLARATION)) this.#skipTo("?>");
  }

  /** Returns the next event, or undefined at the end of the document. Throws XmlError. */
  next(): XmlEvent | undefined {
    if (this.#isEmptyElement) return this.#end();
    while (this.#at < this.#text.length) {
      const event = this.#text.charCodeAt(this.#at) === 0x3c ? this.#markup() : this.#characters();
      if (event !== undefined) return event;
    }
    const open = this.#open.at(-1);
    if (open !== undefined) throw this.#error("xml.unclosed", { name: open.written });
    if (this.#elements === 0) throw this.#error("xml.empty");
    return undefined;
  }

  #markup(): XmlEvent | undefined {
    const text = this.#text;
    switch (text.charCodeAt(this.#at + 1)) {
      case 0x2f:
        return this.#endTag();
      case 0x3f:
        this.#instruction();
        return undefined;
      case 0x21:
        if (text.startsWith("<!--", this.#at)) return this.#comment();
        if (text.startsWith("<![CDATA[", this.#at)) return this.#cdata();
        // Q307: the internal declarations of a document are never used.
        throw new XmlError("xml.doctype");
      default:
        return this.#startTag();
    }
  }

  #characters(): XmlEvent | undefined {
    const next = this.#text.indexOf("<", this.#at);
    const piece = this.#text.slice(this.#at, next === -1 ? undefined : next);
    if (this.#open.length === 0) {
      if (!ONLY_SPACE.test(piece)) throw this.#error("xml.outside");
      this.#at += piece.length;
      return undefined;
    }
    if (piece.includes("]]>")) throw this.#error("xml.cdata_end");
    const text = this.#resolve(piece);
    this.#at += piece.length;
    return this.#textEvent(text);
  }

  #textEvent(text: string): XmlEvent | undefined {
    if (text === "") return undefined;
    this.#texts += 1;
    if (this.#texts > XML_TEXTS_MAX) throw new XmlError("xml.texts", { most: XML_TEXTS_MAX });
    return { kind: "text", text };
  }

  #cdata(): XmlEvent | undefined {
    if (this.#open.length === 0) throw this.#error("xml.outside");
    const from = this.#at + "<![CDATA[".length;
    this.#at = from;
    this.#skipTo("]]>");
    return this.#textEvent(this.#text.slice(from, this.#at - "]]>".length));
  }

  #comment(): undefined {
    this.#at += "<!--".length;
    this.#skipTo("--");
    if (this.#text.charCodeAt(this.#at) !== 0x3e) throw this.#error("xml.comment");
    this.#at += 1;
  }

  #instruction(): void {
    this.#at += 2;
    if (this.#name().toLowerCase() === "xml") throw this.#error("xml.declaration");
    this.#skipTo("?>");
  }

  #startTag(): XmlEvent {
    if (this.#open.length === 0 && this.#elements > 0) throw this.#error("xml.second_root");
    if (this.#open.length >= XML_NESTING_MAX) throw new XmlError("xml.depth", { most: XML_NESTING_MAX });
    this.#elements += 1;
    if (this.#elements > XML_ELEMENTS_MAX) throw new XmlError("xml.elements", { most: XML_ELEMENTS_MAX });
    this.#at += 1;
    const written = this.#name();
    const raw = this.#rawAttributes();
    try {
      const declared = this.#namespaces.enter(raw);
      this.#open.push({ written, declared });
      const [namespace, name] = this.#namespaces.element(written);
      return { kind: "start", namespace, name, attributes: this.#namespaces.attributes(raw) };
    } catch (error) {
      throw this.#locate(error);
    }
  }

  #rawAttributes(): RawAttribute[] {
    const raw: RawAttribute[] = [];
    for (;;) {
      const hasSpace = this.#space();
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x3e || (code === 0x2f && this.#text.charCodeAt(this.#at + 1) === 0x3e)) {
        this.#isEmptyElement = code === 0x2f;
        this.#at += this.#isEmptyElement ? 2 : 1;
        return raw;
      }
      if (!hasSpace) throw this.#error("xml.tag");
      raw.push(this.#attribute());
    }
  }

  #attribute(): RawAttribute {
    this.#attributes += 1;
    if (this.#attributes > XML_ATTRIBUTES_MAX)
      throw new XmlError("xml.attributes", { most: XML_ATTRIBUTES_MAX });
    const name = this.#name();
    this.#space();
    if (this.#text.charCodeAt(this.#at) !== 0x3d) throw this.#error("xml.no_value", { name });
    this.#at += 1;
    this.#space();
    const quote = this.#text.charAt(this.#at);
    if (quote !== '"' && quote !== "'") throw this.#error("xml.unquoted", { name });
    const from = this.#at + 1;
    this.#at = from;
    this.#skipTo(quote);
    const value = this.#text.slice(from, this.#at - 1);
    if (value.includes("<")) throw this.#error("xml.less_than", { name });
    return [name, this.#resolve(value.replaceAll(/[\t\n]/g, " "))];
  }

  #endTag(): XmlEvent {
    this.#at += 2;
    const open = this.#open.at(-1);
    // Usually it is the expected one, with nothing after its name.
    const end = this.#at + (open?.written.length ?? 0);
    if (open && this.#text.charCodeAt(end) === 0x3e && this.#text.startsWith(open.written, this.#at)) {
      this.#at = end + 1;
      return this.#end();
    }
    const written = this.#name();
    this.#space();
    if (open === undefined) throw this.#error("xml.end_without_start", { found: written });
    if (open.written !== written)
      throw this.#error("xml.end_tag", { expected: open.written, found: written });
    if (this.#text.charCodeAt(this.#at) !== 0x3e) throw this.#error("xml.tag");
    this.#at += 1;
    return this.#end();
  }

  #end(): XmlEvent {
    this.#isEmptyElement = false;
    const open = this.#open.pop();
    this.#namespaces.leave(open?.declared ?? 0);
    return END;
  }

  #name(): string {
    const from = this.#at;
    let to = from;
    while (isNameCode(this.#text.charCodeAt(to))) to += 1;
    // Nearly all names consist of these letters and digits.
    if (to > from && isAfterName(this.#text.charCodeAt(to)) && isLetter(this.#text.charCodeAt(from))) {
      this.#at = to;
    } else if (!this.#matches(NAME)) throw this.#error("xml.no_name");
    return this.#text.slice(from, this.#at);
  }

  /** Skips whitespace and returns true if there was any. */
  #space(): boolean {
    const from = this.#at;
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
    return this.#at > from;
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #skipTo(end: string): void {
    const index = this.#text.indexOf(end, this.#at);
    if (index === -1) throw this.#error("xml.missing", { end });
    this.#at = index + end.length;
  }

  #resolve(text: string): string {
    if (!text.includes("&")) return text;
    try {
      return decodeReferences(text);
    } catch (error) {
      throw this.#locate(error);
    }
  }

  /** Adds the line number to an error thrown by a function that does not know it. */
  #locate(error: unknown): unknown {
    return error instanceof XmlError ? this.#error(error.text.key, error.text.values) : error;
  }

  #error(key: TextKey, values: TextValues = {}): XmlError {
    let line = 1;
    for (let at = this.#text.indexOf("\n"); at !== -1 && at < this.#at; at = this.#text.indexOf("\n", at + 1))
      line += 1;
    return new XmlError(key, { ...values, line });
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isNameCode(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x3a);
}

/** Returns true for space, `=`, `/` and `>`. */
function isAfterName(code: number): boolean {
  return code === 0x3d || code === 0x3e || code === 0x2f || isSpace(code);
}
