import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { normalizeLccn } from "../../catalog/identifiers/lccn.ts";
import { stringsOf } from "../../catalog/record.ts";
import { without } from "../members.ts";
import type { ImportRecord } from "../record.ts";

/** Members of which normal forms are kept. The rules of import.md 19.1 and 19.2 are those by which records are looked up. */
const NORMALIZERS: readonly (readonly [name: string, normal: (text: string) => string | undefined])[] = [
  ["isbn_13", canonicalIsbn],
  ["isbn_10", canonicalIsbn],
  ["isbn", canonicalIsbn],
  ["lccn", normalizeLccn],
];

/** The record with normal ISBNs and LCCNs; what is none is dropped, and so is a list of which nothing is left. */
export function withNormalIdentifiers(record: ImportRecord): ImportRecord {
  const present = NORMALIZERS.filter(([name]) => record[name] !== undefined);
  const lists = present.map(([name, normal]): [string, string[]] => [
    name,
    stringsOf(record[name]).flatMap((text) => normal(text) ?? []),
  ]);
  const empty = lists.filter(([, list]) => list.length === 0).map(([name]) => name);
  return without({ ...record, ...Object.fromEntries(lists) }, ...empty);
}
