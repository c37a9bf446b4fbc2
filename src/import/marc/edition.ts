import type { ImportRecord } from "../record.ts";
import { authors } from "./edition/authors.ts";
import { putDescriptionMembers, tableOfContents } from "./edition/contents.ts";
import { putControlMembers } from "./edition/control.ts";
import { type Members, MarcFields, put } from "./edition/fields.ts";
import { putIdentifierMembers } from "./edition/identifiers.ts";
import { putPublicationMembers } from "./edition/publication.ts";
import { putSubjectMembers } from "./edition/subjects.ts";
import { putTitleMembers } from "./edition/titles.ts";
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
  put(members, "authors", authors(fields));
  putPublicationMembers(members, fields);
  putDescriptionMembers(members, fields);
  put(members, "table_of_contents", tableOfContents(fields));
  putSubjectMembers(members, fields);
  return members;
}
