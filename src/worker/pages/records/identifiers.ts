import { type CatalogRecord, isObject, stringsOf } from "../../../catalog/record.ts";
import { type Markup, type Piece, markup } from "../markup.ts";
import { commas } from "../parts.ts";
import { section } from "./values.ts";

/** Members of an edition that are identifiers of their own. */
const MEMBERS = [
  ["isbn_10", "ISBN 10"],
  ["isbn_13", "ISBN 13"],
  ["lccn", "LCCN"],
  ["oclc_numbers", "OCLC number"],
  ["ocaid", "Archive item"],
  ["lc_classifications", "Library of Congress class"],
  ["dewey_decimal_class", "Dewey class"],
  ["dewey_number", "Dewey class"],
] as const;

/** Identifiers and classes of a record, whatever its kind; undefined when it has none. */
export function identifierList(record: CatalogRecord): Markup | undefined {
  const own = MEMBERS.map(([member, name]) => [name, stringsOf(record[member])] as const);
  const named = ["identifiers", "classifications", "remote_ids"].flatMap((member) => {
    const values = record[member];
    if (!isObject(values)) return [];
    return Object.entries(values).map(
      ([name, value]) => [name.replaceAll("_", " "), stringsOf(value)] as const,
    );
  });
  const rows = [...own, ...named].filter(([, values]) => values.some((value) => value !== ""));
  const entries = rows.map(
    ([name, values]): Piece =>
      markup`<dt>${name}</dt><dd>${commas(values.map((value) => markup`${value}`))}</dd>`,
  );
  return section("Identifiers", entries.length === 0 ? undefined : markup`<dl>${entries}</dl>`);
}
