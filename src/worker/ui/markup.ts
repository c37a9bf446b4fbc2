import { escapeToBuffer } from "hono/utils/html";
import { type Reader, ANYBODY } from "../http/pages/reader.ts";

/** Where a text is written to. */
type Out = [string];

/** What is written at the end, for one reader; texts in it are escaped then. */
export class Markup {
  readonly write: (out: Out, reader: Reader) => void;

  constructor(write: (out: Out, reader: Reader) => void) {
    this.write = write;
  }

  /** As somebody reads it of whom nothing is known. */
  toString(): string {
    return this.textFor(ANYBODY);
  }

  textFor(reader: Reader): string {
    const out: Out = [""];
    this.write(out, reader);
    return out[0];
  }
}

/** What can stand in a template; `undefined`, `null` and `false` stand for nothing. */
export type Piece = string | number | Markup | undefined | null | false | readonly Piece[];

/** HTML with pieces in it. */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup((out, reader) => {
    for (let index = 0; index < strings.length; index += 1) {
      out[0] += strings[index];
      put(pieces[index], out, reader);
    }
  });
}

/** What depends on who reads it. */
export function forReader(piece: (reader: Reader) => Piece): Markup {
  return new Markup((out, reader) => put(piece(reader), out, reader));
}

/** JSON inside a `<script>` that is no program (HTML, data blocks): no text in it ends the block. */
export function dataBlock(type: string, value: unknown): Markup {
  const text = JSON.stringify(value).replaceAll("<", "\\u003c");
  return new Markup((out) => {
    out[0] += `<script type="${type}">${text}</script>`;
  });
}

function put(piece: Piece, out: Out, reader: Reader): void {
  if (piece === undefined || piece === null || piece === false) return;
  if (typeof piece === "string") escapeToBuffer(piece, out);
  else if (typeof piece === "number") out[0] += String(piece);
  else if (piece instanceof Markup) piece.write(out, reader);
  else for (const one of piece) put(one, out, reader);
}

/** The address of a key or path on this site, whatever stands in it: never one of another site. */
export function addressOf(key: string): string {
  const path = key.toWellFormed().split("/").map(encodeURIComponent).join("/");
  // `//host` would be another site.
  return path.replace(/^\/*/, (slashes) => `/${"%2F".repeat(Math.max(0, slashes.length - 1))}`);
}

/** Longest title, name, date or the like on a page, in UTF-16 units: titles of old books have some hundreds. */
export const SHOWN_TEXT_MAX = 1000;

/**
 * A text that stands in a heading, a link or a row. A record can hold a million characters in any member, and a page
 * many records (Q437).
 */
export function shortText(text: string): string {
  if (text.length <= SHOWN_TEXT_MAX) return text;
  // No character is cut in two.
  return `${text.slice(0, SHOWN_TEXT_MAX - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
