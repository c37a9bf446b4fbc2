import { parseDocument } from "../../catalog/document.ts";
import { languageNames } from "../../catalog/language.ts";
import { readLanguages } from "../../db/languages/read-languages.ts";
import type { FacetValue } from "../../search/engine.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { languageOf } from "../reader-language.ts";

/** A counted value as readers get it. */
export interface FacetRow {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** The values of a field with what they are called (search.md 5.3). Languages cost one statement. */
export async function facetRows(
  field: string,
  values: readonly FacetValue[],
  context: RequestContext,
): Promise<FacetRow[]> {
  if (field === "author_facet") return values.map(authorRow);
  if (field === "has_fulltext") {
    return values.map(({ value, count }) => ({ value, label: value === "true" ? "yes" : "no", count }));
  }
  if (field === "language" && values.length > 0) {
    const names = await namesOfLanguages(context);
    return values.map(({ value, count }) => ({ value, label: names.get(value) ?? value, count }));
  }
  return values.map(({ value, count }) => ({ value, label: value, count }));
}

/** The value is number and name. */
function authorRow({ value, count }: FacetValue): FacetRow {
  const blank = value.indexOf(" ");
  return blank === -1
    ? { value, label: value, count }
    : { value: value.slice(0, blank), label: value.slice(blank + 1), count };
}

/** Names of all languages by code, in the reader's language. One statement. */
export async function namesOfLanguages(context: RequestContext): Promise<Map<string, string>> {
  const interfaceLanguage = languageOf(context);
  const records = await readLanguages(catalogReader(context));
  return new Map(
    records.map(({ key, document }) => {
      const code = key.slice("/languages/".length);
      return [code, languageNames(code, parseDocument(document), interfaceLanguage).name];
    }),
  );
}
