import type { ControlField, DataField, Subfield } from "../../import/marc/record.ts";
import type { Book } from "../book.ts";

export type OptionalSubfield = readonly [code: string, value: string | undefined];

// oxlint-disable-next-line no-control-regex -- what ends subfields, fields and records, and breaks of lines
const CONTROL = /[\u0000-\u001F\u007F]+/g;

const MARK = /^\p{M}/u;

/** Returns a data field with its non-empty subfields, or none without any. `indicators` are two characters. */
export function toDataField(
  tag: string,
  indicators: string,
  optionalSubfields: readonly OptionalSubfield[],
): DataField[] {
  const subfields = optionalSubfields.flatMap(([code, value]): Subfield[] => {
    const text = value?.replace(CONTROL, " ").trim() ?? "";
    // A combining mark would combine with the code.
    return text === "" ? [] : [[code, MARK.test(text) ? ` ${text}` : text]];
  });
  return subfields.length === 0
    ? []
    : [{ tag, ind1: indicators.charAt(0), ind2: indicators.charAt(1), subfields }];
}

/** Returns a field for each text, in its subfield `a`, with the same further subfields. */
export function toDataFields(
  [tag, indicators]: readonly [tag: string, indicators: string],
  texts: readonly string[],
  more: readonly OptionalSubfield[] = [],
): DataField[] {
  return texts.flatMap((text) => toDataField(tag, indicators, [["a", text], ...more]));
}

const PARAGRAPHS = /\n{2,}/;
/** Maximum length of a text in one field, in characters: it fits even with four bytes per character. */
const TEXT_LENGTH = 2400;
const WITHIN = new RegExp(`[^]{1,${TEXT_LENGTH}}(?=\\s|$)|[^]{1,${TEXT_LENGTH}}`, "gu");

/** Returns the paragraphs of a text, split if they are long: a field has no line breaks, and at most 9,999 bytes. */
export function splitParagraphs(text: string | undefined): string[] {
  const lines = (text ?? "").split("\n").map((line) => line.trim());
  const parts = lines.join("\n").split(PARAGRAPHS);
  return parts.flatMap((paragraph) => paragraph.match(WITHIN) ?? []);
}

/** Positions 18 to 34 of a book, without any coded data; one of them is undefined and blank. */
const UNCODED = `${"|".repeat(14)} ||`;
const NO_CODE = "|||";
const COUNTRY = /^[a-z]{2}[a-z|]?$/;

/** Leader. The container fills in the lengths and the base address of data. UTF-8, no ISBD punctuation. */
export const LEADER = "00000nam a2200000uc 4500";

/** Returns the number of the record, the time of its last change, and the coded data of books. */
export function controlFieldsOf(book: Book): ControlField[] {
  const { modified } = book;
  return [
    { tag: "001", value: book.id },
    ...(modified === undefined ? [] : [{ tag: "005", value: `${digitsOf(modified).slice(0, 14)}.0` }]),
    { tag: "008", value: codedDataOf(book) },
  ];
}

function codedDataOf(book: Book): string {
  const { created = "", country = "" } = book;
  const [language = NO_CODE] = book.languages;
  const entered = digitsOf(created).slice(2, 8).padEnd(6, "|");
  const place = COUNTRY.test(country) ? country.padEnd(3) : NO_CODE;
  return `${entered}${codedDatesOf(book)}${place}${UNCODED}${language} d`;
}

/** Returns type and dates. Unknown digits are `u`; there are no codes for years before the year 1. */
function codedDatesOf({ issued, copyrightDate }: Book): string {
  if (issued === undefined) return "nuuuuuuuu";
  if (issued.year < 1) return "b        ";
  const [year, last] = [issued.year, issued.lastYear ?? issued.year].map((each) =>
    String(each).padStart(4, "0"),
  );
  const known = /^(\d{1,3})0{1,3},\1(9{1,3})$/.exec(`${year},${last}`);
  if (issued.certainty !== undefined && known !== null) return `s${known[1]?.padEnd(4, "u")}    `;
  if (year !== last) return `${issued.certainty === undefined ? "m" : "q"}${year}${last}`;
  if (/^\d{4}$/.test(copyrightDate ?? "")) return `t${year}${copyrightDate}`;
  if (issued.month === undefined) return `s${year}    `;
  const [month, day] = [issued.month, issued.day].map((part) =>
    part === undefined ? "  " : String(part).padStart(2, "0"),
  );
  return `e${year}${month}${day}`;
}

function digitsOf(time: string): string {
  return time.replace(/\D/g, "");
}
