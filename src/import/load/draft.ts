import type { CatalogRecord } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import { isEnvelope } from "../../catalog/write/prune.ts";
import type { Loaded } from "./decision.ts";

/** The documents of a decision, as they come together. */
export class Draft {
  readonly created: CatalogRecord[] = [];
  readonly edits: CatalogRecord[] = [];

  /** Adds a new record; what it is called until it has a key. */
  create(record: CatalogRecord): Loaded {
    const place = this.created.push(record) - 1;
    return { key: `/__new__/${place}`, status: "created" };
  }

  /** Adds a record of the catalog with other members, if they are any. */
  edit({ key, document }: StoredForWrite, members: CatalogRecord): Loaded {
    if (Object.keys(members).length === 0) return { key, status: "matched" };
    this.edits.push({ ...withoutEnvelope(document), ...members });
    return { key, status: "modified" };
  }
}

/** A stored document with its key and type, without what the store says about its revision. */
function withoutEnvelope(document: CatalogRecord): CatalogRecord {
  return Object.fromEntries(
    Object.entries(document).filter(([name]) => name === "key" || name === "type" || !isEnvelope(name)),
  );
}
