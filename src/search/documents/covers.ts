import type { CatalogRecord } from "../../catalog/record.ts";

/** The first cover of a record; -1 stands for none that was removed. */
export function coverOf(record: CatalogRecord): number | undefined {
  const covers = record["covers"];
  if (!Array.isArray(covers)) return undefined;
  return covers.find(
    (cover): cover is number => typeof cover === "number" && Number.isSafeInteger(cover) && cover > 0,
  );
}

/** True when a record has this cover, first or not. */
export function hasCover(record: CatalogRecord, cover: number): boolean {
  const covers = record["covers"];
  return Array.isArray(covers) && covers.includes(cover);
}
