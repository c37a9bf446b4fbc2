import type { CatalogRecord, Json } from "../../catalog/record.ts";
import { appended } from "../load/append.ts";
import { presentMembers } from "../load/present.ts";
import { textObject } from "../load/texts.ts";
import type { ImportRecord } from "../record.ts";

/** The members of works that say what they are about. */
export const SUBJECTS = ["subjects", "subject_places", "subject_times", "subject_people"] as const;

/** An author of a work. */
export interface WorkAuthor {
  readonly key: string;
  readonly role: string | undefined;
}

/** What a new work gets besides what the record says of it. */
export interface WorkParts {
  readonly authors: readonly WorkAuthor[];
  /** Covers of the edition. */
  readonly covers: Json | undefined;
}

/** A work for an edition that has none (import.md 18.2). */
export function newWork(record: ImportRecord, { authors, covers }: WorkParts): CatalogRecord {
  const about = SUBJECTS.map((name): [string, Json | undefined] => [name, record[name]]);
  return presentMembers({
    type: { key: "/type/work" },
    title: record["title"],
    authors: workAuthors(authors),
    ...Object.fromEntries(about),
    // As they are when the record comes again (import.md 15.6 step 5).
    subjects: appended([], record["subjects"]),
    description: textObject(record["description"]),
    covers,
  });
}

/** Authors as a work has them. */
export function workAuthors(authors: readonly WorkAuthor[]): Json[] {
  return authors.map(({ key, role }) =>
    presentMembers({ type: { key: "/type/author_role" }, author: { key }, role }),
  );
}
