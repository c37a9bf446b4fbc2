import { flipName } from "../../import/marc/edition/text.ts";
import { tidyPlace, tidySubject } from "../../import/marc/edition/subjects.ts";
import type { DataField } from "../../import/marc/record.ts";
import { NO_DETAILS } from "../agents.ts";
import type { Book } from "../book.ts";
import { sortedNameOf } from "../names.ts";
import { dataField, eachField } from "./fields.ts";

/** Pattern of the dates after the name of a person. */
const LIVED = /^[^()]+$/;
const DIGIT = /\d/;

/**
 * Returns the subjects of a book. A heading that imports would invert (`Fiction, Historical`) becomes an index term in
 * 653, which they leave unchanged.
 */
export function subjectFieldsOf(book: Book): DataField[] {
  const { subjects, subjectPlaces, times, people, genres } = book;
  return [
    ...people.flatMap(personFieldOf),
    ...eachField(["648", " 4"], times),
    ...eachField(["650", " 4"], subjects.filter(isHeading)),
    ...eachField(["651", " 4"], subjectPlaces.filter(isPlace)),
    ...eachField(
      ["653", " 0"],
      subjects.filter((text) => !isHeading(text)),
    ),
    ...eachField(
      ["653", " 5"],
      subjectPlaces.filter((text) => !isPlace(text)),
    ),
    ...eachField(["655", " 4"], genres),
  ];
}

function isHeading(text: string): boolean {
  return tidySubject(text) === text;
}

function isPlace(text: string): boolean {
  return tidyPlace(text) === text;
}

function personFieldOf(text: string): DataField[] {
  const { name, lived } = splitNameAndDates(text);
  const sorted = sortedNameOf({ ...NO_DETAILS, name });
  const isSorted = sorted !== name && flipName(sorted) === name;
  return dataField("600", isSorted ? "14" : "04", [
    ["a", isSorted ? sorted : name],
    ["d", lived],
  ]);
}

/** Splits `Name (1800-1850)` into its two parts. */
function splitNameAndDates(text: string): { readonly name: string; readonly lived?: string } {
  const open = text.lastIndexOf(" (");
  const lived = text.slice(open + 2, -1);
  const isLived = open > 0 && text.endsWith(")") && LIVED.test(lived) && DIGIT.test(lived);
  return isLived ? { name: text.slice(0, open), lived } : { name: text };
}
