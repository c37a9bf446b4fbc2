import { type CatalogRecord, type Json, isObject, keyOf, textOf } from "../../catalog/record.ts";
import { readRecords } from "../../db/records/read-record.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { field } from "../pages/forms.ts";
import type { Markup } from "../pages/markup.ts";

/** The authors of a work in a form: a row for each, and one for another. */
export async function authorRows(
  context: RequestContext,
  work: CatalogRecord,
  sent: CatalogRecord | undefined,
): Promise<Markup[]> {
  const rows = rowsOf(sent?.["authors"]) ?? rowsOf(work["authors"]) ?? [];
  const keys = rows.map(({ author }) => keyOf(author) ?? "");
  const names = await authorNames(context, keys);
  const filled = rows.map((row, index) => ({
    key: keys[index] ?? "",
    name: textOf(row["name"]) ?? "",
    known: names.get(keys[index] ?? ""),
  }));
  return [...filled, { key: "", name: "", known: undefined }].flatMap((row, index) => rowFields(row, index));
}

interface AuthorRow {
  readonly key: string;
  readonly name: string;
  /** Name of the author with that key. */
  readonly known: string | undefined;
}

function rowFields({ key, name, known }: AuthorRow, index: number): Markup[] {
  const label = `Author ${index + 1}`;
  const isNew = known === undefined;
  const hint = isNew ? "A key such as /authors/OL1A; empty for an author who is not in the catalog." : known;
  const byKey = field({ name: `work--authors--${index}--author--key`, label, value: key, hint });
  if (!isNew) return [byKey];
  return [
    byKey,
    field({ name: `author_names--${index}`, label: `${label}: name of a new author`, value: name }),
  ];
}

async function authorNames(
  context: RequestContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await readRecords(
    catalogReader(context),
    keys.filter((key) => key.startsWith("/")),
  );
  return new Map(
    rows.map(({ key, document }) => {
      // What is stored went through validation when it was written.
      const record = JSON.parse(document) as CatalogRecord;
      return [key, textOf(record["name"]) ?? key];
    }),
  );
}

function rowsOf(value: Json | undefined): CatalogRecord[] | undefined {
  return Array.isArray(value) ? value.filter(isObject) : undefined;
}
