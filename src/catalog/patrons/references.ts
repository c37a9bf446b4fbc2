import { DEFAULT_PREFIX, olidOfKey, parseOlid } from "../keys.ts";

const FOLDER = "/books/";
const NUMBER = /^\d{1,15}$/;

/**
 * Reads the number of an edition in a form: `OL1M`, `/books/OL1M`, in any case; undefined for anything else and 0
 * (Q221).
 */
export function editionNumber(text: string, prefix = DEFAULT_PREFIX): number | undefined {
  const isInFolder = text.slice(0, FOLDER.length).toLowerCase() === FOLDER;
  const olid = parseOlid(isInFolder ? text.slice(FOLDER.length) : text, prefix);
  return olid?.kind === "edition" ? aboveZero(olid.number) : undefined;
}

/** Reads the number of an edition in a form, also as a bare number; undefined for anything else and 0. */
export function looseEditionNumber(text: string, prefix = DEFAULT_PREFIX): number | undefined {
  return NUMBER.test(text) ? aboveZero(Number(text)) : editionNumber(text, prefix);
}

function aboveZero(number: number): number | undefined {
  return number > 0 ? number : undefined;
}

/** Returns the number in the key of a work, `/works/OL1W`, with any prefix; undefined for anything else. */
export function workNumberOfKey(key: unknown): number | undefined {
  const olid = typeof key === "string" && key.startsWith("/works/") ? olidOfKey(key) : undefined;
  const digits = /^\D+(\d+)W$/.exec(olid ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}
