import type { ControlField } from "../../import/marc/record.ts";
import type { Book } from "../book.ts";

/** Positions 18 to 34 of a book, without any coded data; one of them is undefined and blank. */
const UNCODED = `${"|".repeat(14)} ||`;
const NO_CODE = "|||";
const COUNTRY = /^[a-z]{2}[a-z|]?$/;
const YEAR_WITH_UNKNOWN = /^\d{1,4}u{0,3}$/;

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
  const {
    created = "",
    country = "",
    languages: [language = NO_CODE],
  } = book;
  const entered = digitsOf(created).slice(2, 8).padEnd(6, "|");
  const place = COUNTRY.test(country) ? country.padEnd(3) : NO_CODE;
  return `${entered}${codedDatesOf(book)}${place}${UNCODED}${language} d`;
}

/** Returns the type of date, and two dates. */
function codedDatesOf({ date = "", issued, copyrightDate }: Book): string {
  if (date.length === 4 && YEAR_WITH_UNKNOWN.test(date) && date.includes("u")) return `s${date}    `;
  if (issued === undefined) return "nuuuuuuuu";
  const year = String(issued.year).padStart(4, "0");
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
