/** Something that records may be found by: rows of the index tables (docs/storage.md), or the key itself. */
export interface Lookup {
  readonly table: "identifier" | "property" | "key";
  /** `identifier.kind`, `property.name`; empty for keys. */
  readonly name: string;
  readonly value: string;
  /** Of what an identifier gives, only editions with this row `title`. */
  readonly titled?: string;
}

/** What the records of a decision are looked up by. A pure function of the import record makes it. */
export interface Wanted {
  /** Lookups that give the pool of editions (import.md 15.3, 15.4). */
  readonly editions: readonly Lookup[];
  /** Lookups that give candidates for all authors of the record (import.md 17.2). */
  readonly authors: readonly Lookup[];
  /** Title key by which works of those authors are found (import.md 18.1). */
  readonly workTitle: string;
}

/** One name for a lookup: what `Found.hits` is asked by. */
export function lookupName({ table, name, value, titled }: Lookup): string {
  return [table, name, value].concat(titled ?? []).join("\n");
}
