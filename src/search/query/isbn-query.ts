import { canonicalIsbn, isbn10to13 } from "../../catalog/identifiers/isbn.ts";

/** What may be a text that is an ISBN and nothing else (A13: the reference picks digits out of any text). */
const ISBN_TEXT = /^(?:isbn[:\s]*)?([-0-9Xx\s]{10,})$/i;
const SPACE = /\s/;
const ZERO = "0".charCodeAt(0);

/** The ISBN that a whole text is (search.md 3.6, A13, Q48); undefined when it is something else. */
export function isbnOfText(text: string): string | undefined {
  const digits = ISBN_TEXT.exec(text.trim())?.[1];
  return digits === undefined ? undefined : isbnOfDigits(digits);
}

/** The ISBN that digits, dashes and blanks are. With blanks its check digit must be right: years are no ISBN. */
export function isbnOfDigits(digits: string): string | undefined {
  const isbn = canonicalIsbn(digits);
  if (isbn === undefined || !SPACE.test(digits.trim())) return isbn;
  const isValid = isbn.length === 10 ? isbn10to13(isbn) !== undefined : isValidEan(isbn);
  return isValid ? isbn : undefined;
}

/** Weights 1 and 3 in turn; the sum is a multiple of ten. */
function isValidEan(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    sum += (index % 2 === 0 ? 1 : 3) * (digits.charCodeAt(index) - ZERO);
  }
  return sum % 10 === 0;
}
