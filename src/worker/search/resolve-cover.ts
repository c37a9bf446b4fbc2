import { type Identifier, lookupLccn, normalizeOclc } from "../../catalog/identifiers/edition-identifiers.ts";
import { bothIsbns } from "../../catalog/identifiers/isbn.ts";
import { coverOfEdition, coverOfRecord, coverOfWork, findCover } from "../../db/covers/read-covers.ts";
import type { CoverCategory } from "../../db/covers/cover-rows.ts";
import type { Statement } from "../../db/statement.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";

/** By what a cover is asked for: `/<category>/<key>/<value>`. */
export interface CoverName {
  readonly category: CoverCategory;
  /** In any case. */
  readonly key: string;
  readonly value: string;
}

const NUMBER = /^0*([1-9]\d{0,14})$/;

/** True when a cover is named by its number. */
export function isNumberKey({ key }: CoverName): boolean {
  return key.toLowerCase() === "id";
}

/**
 * The number of the cover that is meant; undefined for none. A number costs nothing, everything else a
 * statement. Q386: the category says nothing about a number.
 */
export async function resolveCover(context: RequestContext, name: CoverName): Promise<number | undefined> {
  // Records have -1 among their covers, and pages ask for None: no number is no cover, and no wrong address.
  if (isNumberKey(name)) return positiveNumber(name.value);
  const statement = statementFor(name);
  return statement === undefined ? undefined : findCover(catalogReader(context), statement);
}

function positiveNumber(text: string): number | undefined {
  const [, digits] = NUMBER.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function statementFor({ category, key, value }: CoverName): Statement | undefined {
  const kind = key.toLowerCase();
  if (kind === "olid") return ofRecord(category, value.toUpperCase());
  // Q402: authors and works are known by nothing else, but a scan is asked for in every category.
  if (category !== "b" && kind !== "ia") return undefined;
  const wanted = wantedEditions(kind, value);
  return wanted.length === 0 ? undefined : coverOfEdition(wanted);
}

function ofRecord(category: CoverCategory, olid: string): Statement {
  if (category === "a") return coverOfRecord(`/authors/${olid}`, "photos");
  return category === "w" ? coverOfWork(`/works/${olid}`) : coverOfRecord(`/books/${olid}`, "covers");
}

function wantedEditions(kind: string, value: string): Identifier[] {
  // Blanks of an address come as underscores, except in names of items.
  const spaced = value.replaceAll("_", " ");
  switch (kind) {
    case "isbn":
      return bothIsbns(spaced).flatMap((isbn) => one("isbn", isbn));
    case "oclc":
      return one("oclc", normalizeOclc(spaced));
    case "lccn":
      return one("lccn", lookupLccn(spaced));
    case "ia":
      return [...one("ocaid", value), ...one("source", `ia:${value}`)];
    default:
      return one(kind, value.trim());
  }
}

function one(kind: string, value: string | undefined): Identifier[] {
  return value === undefined ? [] : [{ kind, value }];
}
