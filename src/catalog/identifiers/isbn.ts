import { toNormalForm } from "../matching/match-keys.ts";

const SHAPE = /^\d{9}[\dX](?:\d{3})?$/;
const FOREIGN = /[^\dXx]+/g;
const DIGITS_13 = /^978\d{10}$/;
/** Numbers entered where the ISBN is unknown. */
const PLACEHOLDERS = new Set(["0000000000", "0000000000000", "000000000X"]);
const ZERO = "0".charCodeAt(0);
const ASIN_LENGTH = 10;

/** Name before an ISBN: `urn:isbn:`, `ISBN-13:`, `ISBN 10 `, `SBN`. */
const NAME = /^(?:urn\s*:\s*)?e?\p{Pd}?i?sbn(?:[\p{Pd}\s]?1[03](?!\d))?[:=\s]*/iu;
/** Signs around a pasted ISBN, and invisible ones in it. */
const EDGES = /^[\s\p{Ps}\p{Pi}"']+|(?<![\s\p{Pe}\p{Pf}"'.,;:])[\s\p{Pe}\p{Pf}"'.,;:]+$/gu;
const INVISIBLE = /\p{Cf}/gu;
/** Characters between the digits of a typed ISBN: blanks and hyphens of any kind. */
const TYPED = /^[\dX\s\p{Pd}\u2212]+$/iu;
const SPACE = /\s/;
/** Maximum length of a typed or pasted text that is an ISBN as a whole. */
export const TYPED_ISBN_LENGTH_MAX = 100;
/** Number of the nine digits that were used before 1970, without the 0 of the ISBN. */
const SBN = /^\d{8}[\dX]$/;

/**
 * Returns the bare form of an ISBN in any spelling, without checking its check digit; of an SBN, with its check digit
 * right. Returns undefined if the text is not an ISBN (Q28).
 */
export function toCanonicalIsbn(text: string): string | undefined {
  const isbn = SHAPE.test(text) ? text : digitsOf(toNormalForm(text, "NFKC").replace(NAME, ""));
  if (SHAPE.test(isbn)) return PLACEHOLDERS.has(isbn) ? undefined : isbn;
  const isSbn = SBN.test(isbn) && hasValidCheckDigit(`0${isbn}`) && typedDigitsOf(text) !== undefined;
  return isSbn ? `0${isbn}` : undefined;
}

/**
 * Returns the ISBN of a text that is an ISBN as a whole, such as `ISBN-13: 978-0-14-032872-1.`; undefined for other texts.
 * With blanks between its digits its check digit must be right, because years are not an ISBN.
 */
export function parseIsbn(text: string): string | undefined {
  const digits = typedDigitsOf(text);
  const isbn = digits === undefined ? undefined : toCanonicalIsbn(digits);
  if (digits === undefined || isbn === undefined) return undefined;
  return hasValidCheckDigit(isbn) || !SPACE.test(digits) ? isbn : undefined;
}

/** Returns the digits of a text without other words, as typed, without the name of the number. */
function typedDigitsOf(text: string): string | undefined {
  if (text.length > TYPED_ISBN_LENGTH_MAX) return undefined;
  const plain = toNormalForm(text, "NFKC").replace(INVISIBLE, "").replace(EDGES, "");
  const digits = plain.replace(NAME, "");
  return TYPED.test(digits) ? digits : undefined;
}

function digitsOf(text: string): string {
  return text.replace(FOREIGN, "").replace(/x$/, "X");
}

/** Converts an ISBN-10 in any spelling. Returns undefined for a wrong check digit or other texts. */
export function convertIsbn10(text: string): string | undefined {
  const isbn = toCanonicalIsbn(text);
  return isbn?.length === 10 ? lengthen(isbn) : undefined;
}

/** Converts an ISBN-13 in any spelling. Returns undefined for 979…, a wrong check digit or other texts. */
export function isbn13to10(text: string): string | undefined {
  const isbn = toCanonicalIsbn(text);
  return isbn?.length === 13 ? shorten(isbn) : undefined;
}

/** Returns an ISBN in its other length. Returns undefined if it has none. */
export function toOppositeIsbn(text: string): string | undefined {
  const isbn = toCanonicalIsbn(text);
  if (isbn === undefined) return undefined;
  return isbn.length === 10 ? lengthen(isbn) : shorten(isbn);
}

function lengthen(isbn10: string): string | undefined {
  if (isbn10.charAt(9) !== checkDigit10Of(isbn10)) return undefined;
  const body = `978${isbn10.slice(0, 9)}`;
  return body + checkDigit13Of(body);
}

function shorten(isbn13: string): string | undefined {
  if (!DIGITS_13.test(isbn13) || isbn13.charAt(12) !== checkDigit13Of(isbn13)) return undefined;
  const body = isbn13.slice(3, 12);
  return body + checkDigit10Of(body);
}

export function hasValidCheckDigit(isbn: string): boolean {
  return isbn.length === 10 ? isbn.endsWith(checkDigit10Of(isbn)) : isbn.endsWith(checkDigit13Of(isbn));
}

/** Computes the check digit of the first nine digits: sum of position times digit, modulo 11, X for ten. */
function checkDigit10Of(digits: string): string {
  let sum = 0;
  for (let index = 0; index < 9; index += 1) sum += (index + 1) * (digits.charCodeAt(index) - ZERO);
  const check = sum % 11;
  return check === 10 ? "X" : String(check);
}

/** Computes the EAN check digit of the first twelve digits: weights 1 and 3 in turn. */
function checkDigit13Of(digits: string): string {
  let sum = 0;
  for (let index = 0; index < 12; index += 1) {
    sum += (index % 2 === 0 ? 1 : 3) * (digits.charCodeAt(index) - ZERO);
  }
  return String((10 - (sum % 10)) % 10);
}

/** Returns the ISBN-10 of an ISBN in either length. An ISBN-10 stays, even with a wrong check digit. */
export function toIsbn10(text: string): string | undefined {
  const isbn = toCanonicalIsbn(text);
  return isbn?.length === 10 ? isbn : isbn13to10(text);
}

/** Returns the ISBN-13 of an ISBN in either length. An ISBN-13 stays, even with a wrong check digit. */
export function toIsbn13(text: string): string | undefined {
  const isbn = toCanonicalIsbn(text);
  return isbn?.length === 13 ? isbn : convertIsbn10(text);
}

export function bothIsbnsOf(text: string): [isbn10: string | undefined, isbn13: string | undefined] {
  return [toIsbn10(text), toIsbn13(text)];
}

/** Returns an ASIN (retailer's number) in capitals: ten characters, the first a B. */
export function asinOf(text: string): string | undefined {
  const asin = text.toUpperCase();
  return asin.length === ASIN_LENGTH && asin.startsWith("B") ? asin : undefined;
}
