import { YEAR_MAX } from "../../catalog/publication-date.ts";
import type { ImportRecord } from "../record.ts";
import { readAuthors } from "./edition/authors.ts";
import {
  putDescriptionMembers,
  putPublicationMembers,
  putTitleMembers,
  tableOfContentsOf,
} from "./edition/description.ts";
import { putControlMembers, putIdentifierMembers } from "./edition/numbers-and-codes.ts";
import { type Members, MarcFields, putMember } from "./edition/fields.ts";
import { putSubjectMembers } from "./edition/subjects.ts";
import type { MarcRecord } from "./record.ts";
import { type ImportWarning, addWarning } from "../warning.ts";

/**
 * Converts a MARC record to an edition without normalising it and without a source. Adds corrected and dropped values to
 * `warnings`. A coded year of publication after `latest` is impossible. Throws MarcError if the record has no title or
 * only refers to another record.
 */
export function editionOfMarc(
  record: MarcRecord,
  warnings: ImportWarning[] = [],
  latest = YEAR_MAX,
): ImportRecord {
  const { warnings: corrections = [] } = record;
  for (const { code, field, value } of corrections) addWarning(warnings, code, [field, value]);
  const fields = new MarcFields(record, warnings);
  const members: Members = {};
  putTitleMembers(members, fields);
  putControlMembers(members, fields, latest);
  putIdentifierMembers(members, fields);
  putMember(members, "authors", readAuthors(fields));
  putPublicationMembers(members, fields);
  putDescriptionMembers(members, fields);
  putMember(members, "table_of_contents", tableOfContentsOf(fields));
  putSubjectMembers(members, fields);
  return members;
}
