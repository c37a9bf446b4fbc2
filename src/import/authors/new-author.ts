import type { CatalogRecord, Json } from "../../catalog/record.ts";
import { presentMembers } from "../load/present.ts";
import { isFalsy, without } from "../members.ts";

/** What a new author has of the author object of the record (import.md 10.1). */
const MEMBERS = [
  "name",
  "title",
  "personal_name",
  "birth_date",
  "death_date",
  "date",
  "remote_ids",
  "entity_type",
  "alternate_names",
];

/** A record of an author that the catalog does not have (import.md 17.4). `source` is where it is from. */
export function newAuthor(author: CatalogRecord, source: string): CatalogRecord {
  const members = MEMBERS.map((name): [string, Json | undefined] => [name, author[name]]);
  const record = presentMembers({
    type: { key: "/type/author" },
    ...Object.fromEntries(members),
    source_records: [source],
  });
  return isFalsy(record["remote_ids"]) ? without(record, "remote_ids") : record;
}
