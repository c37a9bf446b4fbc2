import type { CatalogRecord, Json } from "../record.ts";

/** Most JSON text of what a change of a list tells of its seeds, in UTF-16 units: a change is small, whatever the list. */
export const LIST_CHANGE_DATA_LENGTH = 65_536;

/** What may be told, the most telling first. */
const TOLD = ["add", "remove", "seeds"];

/**
 * The data of a change of a list (patrons.md 14.5, 14.7): its key, and what was added, removed and is in it.
 * Q256: what would make the data longer than `LIST_CHANGE_DATA_LENGTH` is left out.
 */
export function listChangeData(list: string, told: CatalogRecord): CatalogRecord {
  let length = 0;
  const members: [string, Json][] = [];
  for (const name of TOLD) {
    const value = told[name];
    if (value === undefined) continue;
    length += JSON.stringify(value).length;
    if (length > LIST_CHANGE_DATA_LENGTH) break;
    members.push([name, value]);
  }
  return { list: { key: list }, ...Object.fromEntries(members) };
}
