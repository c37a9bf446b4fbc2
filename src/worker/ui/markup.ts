import { toWellFormedJson } from "../../catalog/bytes.ts";
import { escapeToBuffer } from "hono/utils/html";
import { type Reader, ANONYMOUS_READER } from "../http/pages/reader.ts";

type Out = [string];

/** HTML that is written for one user at the end; texts are escaped then. */
export class Markup {
  readonly write: (out: Out, reader: Reader) => void;

  constructor(write: (out: Out, reader: Reader) => void) {
    this.write = write;
  }

  toString(): string {
    return this.textFor(ANONYMOUS_READER);
  }

  textFor(reader: Reader): string {
    const out: Out = [""];
    this.write(out, reader);
    return out[0];
  }
}

/** Value in a template; `undefined`, `null` and `false` write nothing. */
export type Piece = string | number | Markup | undefined | null | false | readonly Piece[];

/** Makes HTML from a template. Pieces are escaped unless they are `Markup`. */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup((out, reader) => {
    for (let index = 0; index < strings.length; index += 1) {
      out[0] += strings[index];
      put(pieces[index], out, reader);
    }
  });
}

export function forReader(piece: (reader: Reader) => Piece): Markup {
  return new Markup((out, reader) => put(piece(reader), out, reader));
}

/** Wraps HTML in which texts are escaped already. */
export function rawHtml(html: string): Markup {
  return new Markup((out) => {
    out[0] += html;
  });
}

/** Makes a data block: JSON in a `<script>`, escaped so that no text ends the block. */
export function dataBlock(type: string, value: unknown): Markup {
  const text = toWellFormedJson(JSON.stringify(value)).replaceAll("<", "\\u003c");
  return rawHtml(`<script type="${type}">${text}</script>`);
}

function put(piece: Piece, out: Out, reader: Reader): void {
  if (piece === undefined || piece === null || piece === false) return;
  if (typeof piece === "string") escapeToBuffer(piece, out);
  else if (typeof piece === "number") out[0] += String(piece);
  else if (piece instanceof Markup) piece.write(out, reader);
  else for (const part of piece) put(part, out, reader);
}

/** Returns the attribute for a text in a language (BCP 47); undefined if it is unknown or that of the page. */
export function langAttribute(tag: string | undefined): Markup | undefined {
  if (tag === undefined) return undefined;
  return forReader(({ language }) => tag !== language && markup` lang="${tag}"`);
}

/** Returns the address of a key or path on this site; no key can lead to another site. */
export function addressOf(key: string): string {
  const path = key.toWellFormed().split("/").map(encodeURIComponent).join("/");
  // `//host` is another site.
  return path.replace(/^\/*/, (slashes) => `/${"%2F".repeat(Math.max(0, slashes.length - 1))}`);
}

/** Longest title, name or date on a page, in UTF-16 units: titles of old books have some hundreds. */
export const SHOWN_TEXT_MAX = 1000;

/**
 * Shortens a text for a heading, a link or a row. A record can have a million characters in any member, and a page many
 * records (Q437).
 */
export function shortText(text: string): string {
  if (text.length <= SHOWN_TEXT_MAX) return text;
  // Keep surrogate pairs together.
  return `${text.slice(0, SHOWN_TEXT_MAX - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
