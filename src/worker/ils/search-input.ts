import { type Identifier, editionIdentifiers } from "../../catalog/identifiers/edition.ts";
import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import type { ImportRecord } from "../../import/record.ts";
import { ilsError } from "./ils-error.ts";

/** Most identifiers of a book that is looked for, ISBNs in both lengths. */
export const ILS_IDENTIFIERS_MAX = 200;

/** A book as a library system describes it. */
export interface IlsBook {
  /** What it may be found by, in the forms of the index. */
  readonly identifiers: readonly Identifier[];
  /** The record that it becomes where it is not found, without its source; undefined when it has no title. */
  readonly record: ImportRecord | undefined;
}

/** Names of identifiers that may stand at the top or below `identifiers`, and their members in an edition. */
const OWN_MEMBERS: Readonly<Record<string, string>> = {
  isbn: "isbn",
  isbn_10: "isbn",
  isbn_13: "isbn",
  lccn: "lccn",
  oclc: "oclc_numbers",
  oclc_number: "oclc_numbers",
  oclc_numbers: "oclc_numbers",
  ocaid: "ocaid",
};

/** Reads the JSON body of a search (import.md 5.1); throws a 400. What has an odd type is passed over. */
export function readIlsBook(text: string): IlsBook {
  const body = parsed(text);
  const { own, others } = identifiersOf(body);
  const isbns = (own.get("isbn") ?? []).flatMap((isbn) => canonicalIsbn(isbn) ?? []);
  const edition: CatalogRecord = {
    isbn_10: isbns.filter(({ length }) => length === 10),
    isbn_13: isbns.filter(({ length }) => length === 13),
    lccn: own.get("lccn") ?? [],
    oclc_numbers: own.get("oclc_numbers") ?? [],
    identifiers: Object.fromEntries(others),
  };
  const scans = own.get("ocaid") ?? [];
  const identifiers = editionIdentifiers({ ...edition, ocaid: scans });
  if (identifiers.length > ILS_IDENTIFIERS_MAX) throw ilsError(400, "too many identifiers");
  return { identifiers, record: recordOf(body, edition, scans) };
}

function parsed(text: string): CatalogRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw ilsError(400, `Unparsable JSON input: ${error.message}`);
  }
  if (!isObject(value)) throw ilsError(400, "Unparsable JSON input: not an object");
  return value;
}

interface Identifiers {
  /** By the member of an edition that they are. */
  readonly own: Map<string, string[]>;
  /** By their names. */
  readonly others: Map<string, string[]>;
}

function identifiersOf(body: CatalogRecord): Identifiers {
  const found: Identifiers = { own: new Map(), others: new Map() };
  const nested = isObject(body["identifiers"]) ? Object.entries(body["identifiers"]) : [];
  const top = Object.entries(body).filter(([name]) => Object.hasOwn(OWN_MEMBERS, name));
  for (const [name, value] of [...top, ...nested]) {
    const member = Object.hasOwn(OWN_MEMBERS, name) ? OWN_MEMBERS[name] : undefined;
    const texts = textsOf(value);
    if (texts.length === 0) continue;
    const [into, key] = member === undefined ? [found.others, name] : [found.own, member];
    into.set(key, [...new Set([...(into.get(key) ?? []), ...texts])]);
  }
  return found;
}

function recordOf(
  body: CatalogRecord,
  edition: CatalogRecord,
  [scan]: readonly string[],
): ImportRecord | undefined {
  const [title] = textsOf(body["title"]);
  if (title === undefined) return undefined;
  const { identifiers, ...numbers } = edition;
  const [year] = textsOf(body["publish_year"]);
  const publishers = textsOf(body["publisher"]);
  const hasOthers = isObject(identifiers) && Object.keys(identifiers).length > 0;
  return {
    title,
    authors: textsOf(body["authors"]).map((name) => ({ name })),
    ...(publishers.length === 0 ? {} : { publishers }),
    ...(year === undefined ? {} : { publish_date: year }),
    ...Object.fromEntries(Object.entries(numbers).filter(([, list]) => textsOf(list).length > 0)),
    ...(scan === undefined ? {} : { ocaid: scan }),
    ...(hasOthers ? { identifiers } : {}),
  };
}

/** Texts of one value or of several, trimmed, numbers too; blank ones and what is neither are left out. */
function textsOf(value: Json | undefined): string[] {
  const several = Array.isArray(value) ? value : [value];
  return several.flatMap((one) => {
    const text = typeof one === "number" ? String(one) : one;
    return typeof text === "string" && text.trim() !== "" ? [text.trim()] : [];
  });
}
