import type { FormField } from "./nested.ts";

/** Lists of names beside lists of keys, and where each of them belongs (records.md 4.8). */
type Parallel = readonly (readonly [RegExp, string])[];

const EDIT: Parallel = [
  [/^(?:author_names|authors)--(\d+)$/, "work--authors--$1--name"],
  [/^(?:series_names|series)--(\d+)$/, "work--series--$1--name"],
];
const ADD: Parallel = [[/^author_names--(\d+)$/, "authors--$1--name"]];

/** Fields of an edit form with the names of new authors and series put beside their keys. */
export function editFields(fields: readonly FormField[]): FormField[] {
  return moved(fields, EDIT);
}

/** Fields of the form of a new book with the names of its authors put beside their keys. */
export function addFields(fields: readonly FormField[]): FormField[] {
  return moved(fields, ADD);
}

function moved(fields: readonly FormField[], lists: Parallel): FormField[] {
  return fields.map(([name, text]) => {
    const rule = lists.find(([pattern]) => pattern.test(name));
    return rule === undefined ? [name, text] : [name.replace(rule[0], rule[1]), text];
  });
}
