import type { Mark, Sort } from "../engine.ts";
import { SolrRequestError } from "./local-parameters.ts";
import { type Kind, KINDS } from "./queries.ts";

/** Position of a walk through all kinds of documents. */
export interface Cursor {
  /** Number of documents at its beginning: they are not counted again. */
  readonly numFound: number;
  readonly kind: Kind;
  readonly mark: Mark;
}

/** Cursor mark of the beginning. */
const BEGINNING = "*";

/** Reads `cursorMark`; returns undefined at the beginning. Throws SolrRequestError for one of another order. */
export function readCursor(text: string, sorts: readonly Sort[]): Cursor | undefined {
  if (text === BEGINNING) return undefined;
  const unparsable = new SolrRequestError(`Unable to parse 'cursorMark' after totem: '${text}'`);
  try {
    const [order, numFound, place, ...mark]: unknown[] = JSON.parse(decodeBase64Url(text));
    const kind = KINDS.find((_kind, at) => at === place);
    const isMark = mark.length > 0 && mark.every(isMarked);
    if (order === signatureOf(sorts) && typeof numFound === "number" && kind !== undefined && isMark)
      return { numFound, kind, mark };
  } catch (error) {
    throw error instanceof Error ? unparsable : error;
  }
  throw unparsable;
}

/** Returns a cursor in the form of `nextCursorMark`. */
export function cursorText({ numFound, kind, mark }: Cursor, sorts: readonly Sort[]): string {
  const text = JSON.stringify([signatureOf(sorts), numFound, KINDS.indexOf(kind), ...mark]);
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decodeBase64Url(text: string): string {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

function signatureOf(sorts: readonly Sort[]): string {
  return sorts.map(({ field, descending, seed = "" }) => `${field}${descending ? "-" : "+"}${seed}`).join();
}

function isMarked(value: unknown): value is Mark[number] {
  return value === null || typeof value === "string" || typeof value === "number";
}
