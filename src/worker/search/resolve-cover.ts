import {
  type Identifier,
  toLookupLccn,
  normalizeNumber,
  normalizeOclc,
} from "../../catalog/identifiers/edition-identifiers.ts";
import { bothIsbnsOf } from "../../catalog/identifiers/isbn.ts";
import {
  type CoverCategory,
  coverOfEdition,
  coverOfRecord,
  coverOfWork,
  findCover,
} from "../../db/covers/read-covers.ts";
import type { Statement } from "../../db/statement.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";

/** Name of a cover: `/<category>/<key>/<value>`. */
export interface CoverName {
  readonly category: CoverCategory;
  readonly key: string;
  readonly value: string;
}

const NUMBER = /^0*([1-9]\d{0,14})$/;

export function isNumberKey({ key }: CoverName): boolean {
  return key.toLowerCase() === "id";
}

/**
 * Finds the number of a cover; undefined if there is none. One statement, or none for a number, whose category is ignored
 * (Q386).
 */
export async function resolveCover(context: RequestContext, name: CoverName): Promise<number | undefined> {
  // Clients send -1 from records, and None: these are no covers, but not invalid either.
  if (isNumberKey(name)) {
    const [, digits] = NUMBER.exec(name.value) ?? [];
    return digits === undefined ? undefined : Number(digits);
  }
  const statement = statementFor(name);
  return statement === undefined ? undefined : findCover(catalogReader(context), statement);
}

const OLID = /^[A-Z]{2}\d+[AMW]$/;

function statementFor({ category, key, value }: CoverName): Statement | undefined {
  const kind = key.toLowerCase();
  const olid = value.toUpperCase();
  // Q816: clients put any number into the address of a book.
  if (kind === "olid" || (kind === "isbn" && OLID.test(olid))) {
    if (category === "a" || olid.endsWith("A")) return coverOfRecord(`/authors/${olid}`, "photos");
    return olid.endsWith("W") ? coverOfWork(`/works/${olid}`) : coverOfRecord(`/books/${olid}`, "covers");
  }
  // Q402: authors and works have only OLIDs; scans are valid in every category.
  if (category !== "b" && kind !== "ia") return undefined;
  const identifiers = identifiersOf(kind, value);
  return identifiers.length === 0 ? undefined : coverOfEdition(identifiers);
}

function identifiersOf(kind: string, value: string): Identifier[] {
  // Addresses have underscores for blanks, except in ids of scans.
  const spaced = value.replaceAll("_", " ");
  switch (kind) {
    case "isbn":
      return bothIsbnsOf(spaced).flatMap((isbn) => identifier("isbn", isbn));
    case "oclc":
      return identifier("oclc", normalizeOclc(spaced));
    case "lccn":
      return identifier("lccn", toLookupLccn(spaced));
    case "ia":
      return [...identifier("ocaid", value), ...identifier("source", `ia:${value}`)];
    default:
      return [...identifier(kind, value.trim()), ...identifier(kind, normalizeNumber(kind, value))];
  }
}

function identifier(kind: string, value: string | undefined): Identifier[] {
  return value === undefined ? [] : [{ kind, value }];
}
