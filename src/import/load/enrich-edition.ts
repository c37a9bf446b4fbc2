import { type CatalogRecord, type Json, isObject, keyOf, stringsOf } from "../../catalog/record.ts";
import { isBlank } from "../../catalog/write/prune.ts";
import type { ImportRecord } from "../record.ts";
import { appended } from "./append.ts";
import { hasCover } from "./cover-host.ts";
import { COVER_TO_COME } from "./decision.ts";
import type { Found } from "./found.ts";
import { authorsOf, recordOf } from "./found-records.ts";
import { languageKeys } from "./languages.ts";
import { publishDate } from "./new-edition.ts";
import { textObject, wholeNumber } from "./texts.ts";

/** Lists that get what they lack. */
const APPENDED = ["local_id", "lccn", "lc_classifications", "oclc_numbers", "source_records"];
/** Members that are set where there are none, and what they are set to. */
const FILLED: readonly (readonly [name: string, valueIn: (record: ImportRecord) => Json | undefined])[] = [
  ["ocaid", ({ ocaid }) => ocaid],
  ["description", ({ description }) => textObject(description)],
  ["number_of_pages", ({ number_of_pages: pages }) => wholeNumber("number_of_pages", pages) || undefined],
  ["publishers", ({ publishers }) => publishers],
  ["publish_date", publishDate],
];

/** What an edition is enriched with. */
export interface Enrichment {
  readonly record: ImportRecord;
  readonly found: Found;
  /** Address of an image that may be taken. */
  readonly cover: string | undefined;
}

/**
 * The members of an edition that change when a record of the same book comes in (import.md 15.6 step 4). Throws
 * ImportFailure `invalid-language`, `type-error`.
 */
export function enrichedMembers(edition: CatalogRecord, { record, found, cover }: Enrichment): CatalogRecord {
  const changes: [string, Json | undefined][] = [
    ["authors", withoutRedirects(edition["authors"], found)],
    ["covers", cover !== undefined && !hasCover(edition["covers"]) ? [COVER_TO_COME] : undefined],
    ...APPENDED.map((name): [string, Json | undefined] => [name, appended(edition[name], record[name])]),
    ["languages", withLanguages(edition["languages"], languageKeys(record["languages"], found.languages))],
    ...FILLED.map(([name, valueIn]): [string, Json | undefined] => [
      name,
      isBlank(edition[name]) ? valueIn(record) : undefined,
    ]),
    ["identifiers", withIdentifiers(edition["identifiers"], record["identifiers"])],
  ];
  return Object.fromEntries(changes.filter(([, value]) => !isBlank(value)));
}

/**
 * The authors, when some of them are other records by now: references to those. The deleted ones go with that, since
 * nothing that changes may name them; undefined when there is nobody to be replaced.
 */
function withoutRedirects(authors: Json | undefined, found: Found): Json[] | undefined {
  if (!Array.isArray(authors)) return undefined;
  const isReplaced = authors.some((author) => {
    const target = recordOf(found, keyOf(author), "/type/author");
    return target !== undefined && target.key !== keyOf(author);
  });
  return isReplaced ? authorsOf(found, authors).map(({ key }) => ({ key })) : undefined;
}

function withLanguages(languages: Json | undefined, keys: readonly string[]): Json[] | undefined {
  const stored = Array.isArray(languages) ? languages : [];
  const known = new Set(stored.map((language) => keyOf(language)));
  const added = keys.filter((key) => !known.has(key)).map((key) => ({ key }));
  return added.length === 0 ? undefined : [...stored, ...added];
}

/** Numbers elsewhere, those of the edition first; undefined when nothing is new. */
function withIdentifiers(stored: Json | undefined, values: Json | undefined): Json | undefined {
  if (!isObject(values)) return undefined;
  const all = isObject(stored) ? stored : {};
  const added = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    const before = Object.hasOwn(all, name) ? all[name] : undefined;
    const list = appended(before, stringsOf(value), (text) => text);
    return list === undefined ? [] : [[name, list]];
  });
  return added.length === 0 ? undefined : { ...all, ...Object.fromEntries(added) };
}
