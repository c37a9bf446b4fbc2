import { type Database, rows } from "../statement.ts";

/** What items are told apart by: a collection that they are in, or a subject of the work that they are scans of. */
export type ItemKind = "collections" | "subjects";

const FITTING: Readonly<Record<ItemKind, string>> = {
  collections: `SELECT i.ocaid FROM item i WHERE i.ocaid IN (SELECT value FROM json_each(?1))
    AND EXISTS (SELECT 1 FROM json_each(i.collections) c WHERE c.value = ?2)`,
  subjects: `SELECT d.value AS ocaid FROM identifier d
    JOIN record e ON e.id = d.edition_id
    JOIN record w ON w.key = e.document->>'$.works[0].key'
    WHERE d.kind = 'ocaid' AND d.value IN (SELECT value FROM json_each(?1))
      AND EXISTS (SELECT 1 FROM json_each(w.document, '$.subjects') s
                  WHERE s.type = 'text' AND replace(lower(s.value), ' ', '_') = ?2)`,
};

/** Those of some items that a collection holds, or that are about a subject (small letters, `_` for blanks). One statement. */
export async function filterItems(
  catalog: Database,
  ocaids: readonly string[],
  { kind, value }: { readonly kind: ItemKind; readonly value: string },
): Promise<ReadonlySet<string>> {
  const found = await rows<{ ocaid: string }>(catalog, {
    sql: FITTING[kind],
    values: [JSON.stringify(ocaids), kind === "subjects" ? value.toLowerCase().replaceAll(" ", "_") : value],
  });
  return new Set(found.map(({ ocaid }) => ocaid));
}
