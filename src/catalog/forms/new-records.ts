import type { CatalogRecord } from "../record.ts";

/** In a form: the key of a record that is to be made (records.md 4.8). */
export const NEW_KEY = "__new__";

/** Records that a form makes besides those that it changes; others refer to them by their place. */
export class NewRecords {
  readonly documents: CatalogRecord[] = [];

  /** Adds a record; returns the reference that stands for it until it has a key. */
  add(type: string, members: CatalogRecord): { key: string } {
    const place = this.documents.length;
    this.documents.push({ ...members, type: { key: type } });
    return { key: `/${NEW_KEY}/${place}` };
  }
}
