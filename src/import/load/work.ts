import { isBlank } from "../../catalog/editing/members.ts";
import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { caseFold, workTitleKey } from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, type Json, stringsOf } from "../../catalog/record.ts";
import type { ImportRecord } from "../record.ts";
import { resolvedAuthors } from "./authors.ts";
import { COVER_TO_COME, firstCover } from "./decision.ts";
import { type Found, authorKeys, recordOf } from "./found.ts";
import { appended, presentMembers, textObject } from "./members.ts";

/** Subject members of works. */
export const SUBJECTS = ["subjects", "subject_places", "subject_times", "subject_people"] as const;

/** An author of a work. */
export interface WorkAuthor {
  readonly key: string;
  readonly role: string | undefined;
}

/** Builds the work of an edition that has none; `covers` are the edition's. */
export function newWork(
  record: ImportRecord,
  { authors, covers }: { readonly authors: readonly WorkAuthor[]; readonly covers: Json | undefined },
): CatalogRecord {
  const about = SUBJECTS.map((name): [string, Json | undefined] => [name, record[name]]);
  return presentMembers({
    type: { key: "/type/work" },
    title: record["title"],
    authors: workAuthors(authors),
    ...Object.fromEntries(about),
    // Deduplicated, as a repeated import would do.
    subjects: appended([], record["subjects"]),
    description: textObject(record["description"]),
    covers,
  });
}

function workAuthors(authors: readonly WorkAuthor[]): Json[] {
  return authors.map(({ key, role }) =>
    presentMembers({ type: { key: "/type/author_role" }, author: { key }, role }),
  );
}

/**
 * Returns the changed members of a work when a record of one of its editions is imported; `edition` in its new state.
 */
export function enrichedWorkMembers(
  work: CatalogRecord,
  {
    record,
    edition,
    found,
  }: { readonly record: ImportRecord; readonly edition: CatalogRecord; readonly found: Found },
): CatalogRecord {
  const { covers } = edition;
  // The edition may be about to get its first cover.
  const isToCome = Array.isArray(covers) && covers[0] === COVER_TO_COME;
  const cover = isToCome ? COVER_TO_COME : firstCover(covers);
  const changes: [string, Json | undefined][] = [
    ["subjects", allSubjects(work["subjects"], record["subjects"])],
    ["covers", cover !== undefined && firstCover(work["covers"]) === undefined ? [cover] : undefined],
    ["description", isBlank(work["description"]) ? textObject(edition["description"]) : undefined],
    ["authors", isBlank(work["authors"]) ? knownAuthors(record, found) : undefined],
  ];
  return Object.fromEntries(changes.filter(([, value]) => !isBlank(value)));
}

/**
 * Merges the subjects, each in its first spelling. Returns undefined if the work has all of them, without duplicates.
 */
function allSubjects(stored: Json | undefined, values: Json | undefined): Json[] | undefined {
  const added = stringsOf(values).filter((subject) => subject.trim() !== "");
  if (added.length === 0) return undefined;
  const before = stringsOf(stored);
  const bySpelling = new Map<string, string>();
  for (const subject of [...before, ...added]) {
    const key = caseFold(subject);
    if (!bySpelling.has(key)) bySpelling.set(key, subject);
  }
  const isSame =
    bySpelling.size === before.length && [...bySpelling.values()].every((s, i) => s === before[i]);
  return isSame ? undefined : [...bySpelling.values()];
}

/** Returns the roles of authors that the catalog has: an existing book does not create new authors. */
function knownAuthors(record: ImportRecord, found: Found): Json[] {
  const known = resolvedAuthors(record, found).flatMap((author) =>
    "stored" in author ? [{ key: author.stored.key, role: author.role }] : [],
  );
  return workAuthors(known);
}

/** Finds the work with the record's title by one of these authors: the first author's, with the lowest number. */
export function findWork(
  { title }: ImportRecord,
  authors: readonly string[],
  found: Found,
): StoredForWrite | undefined {
  const key = workTitleKey(stringsOf(title)[0] ?? "");
  if (key === "") return undefined;
  for (const author of authors) {
    for (const workKey of found.worksOf.get(author) ?? []) {
      const work = recordOf(found, workKey, "/type/work");
      if (work === undefined || !isBy(work, author, found)) continue;
      const { title: stored } = work.document;
      if (typeof stored === "string" && workTitleKey(stored) === key) return work;
    }
  }
  return undefined;
}

function isBy({ document }: StoredForWrite, author: string, found: Found): boolean {
  return authorKeys(document["authors"]).some(
    (key) => key === author || recordOf(found, key, "/type/author")?.key === author,
  );
}
