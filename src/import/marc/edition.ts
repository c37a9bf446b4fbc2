import type { ImportRecord } from "../record.ts";
import { authorsOf } from "./edition/authors.ts";
import {
  putDescriptionMembers,
  putPublicationMembers,
  putTitleMembers,
  tableOfContentsOf,
} from "./edition/description.ts";
import { putControlMembers, putIdentifierMembers } from "./edition/numbers-and-codes.ts";
import { type Members, MarcFields, put } from "./edition/fields.ts";
import { putSubjectMembers } from "./edition/subjects.ts";
import type { MarcRecord } from "./record.ts";

/**
 * Converts a MARC record to an edition without normalising it and without a source. Throws MarcError if the record has
 * no title or only refers to another record.
 */
export function editionOfMarc(record: MarcRecord): ImportRecord {
  const fields = new MarcFields(record);
  const members: Members = {};
  putTitleMembers(members, fields);
  putControlMembers(members, fields);
  putIdentifierMembers(members, fields);
  put(members, "authors", authorsOf(fields));
  putPublicationMembers(members, fields);
  putDescriptionMembers(members, fields);
  put(members, "table_of_contents", tableOfContentsOf(fields));
  putSubjectMembers(members, fields);
  return members;
}
