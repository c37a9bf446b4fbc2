import { caseFold } from "../../catalog/matching/case-fold.ts";
import { type CatalogRecord, type Json, stringsOf } from "../../catalog/record.ts";
import { isBlank } from "../../catalog/write/prune.ts";
import { resolvedAuthors } from "../authors/resolve-authors.ts";
import type { ImportRecord } from "../record.ts";
import { workAuthors } from "../works/new-work.ts";
import { firstCover, hasCover } from "./cover-host.ts";
import { COVER_TO_COME } from "./decision.ts";
import type { Found } from "./found.ts";
import { textObject } from "./texts.ts";

/** What a work is enriched with: the record, and the edition as it will be. */
export interface WorkEnrichment {
  readonly record: ImportRecord;
  readonly edition: CatalogRecord;
  readonly found: Found;
}

/** The members of a work that change when a record of one of its editions comes in (import.md 15.6 step 5). */
export function enrichedWorkMembers(
  work: CatalogRecord,
  { record, edition, found }: WorkEnrichment,
): CatalogRecord {
  const cover = coverOf(edition["covers"]);
  const changes: [string, Json | undefined][] = [
    ["subjects", allSubjects(work["subjects"], record["subjects"])],
    ["covers", cover !== undefined && !hasCover(work["covers"]) ? [cover] : undefined],
    ["description", isBlank(work["description"]) ? textObject(edition["description"]) : undefined],
    ["authors", isBlank(work["authors"]) ? knownAuthors(record, found) : undefined],
  ];
  return Object.fromEntries(changes.filter(([, value]) => !isBlank(value)));
}

/** The first cover of an edition that may be about to get one. */
function coverOf(covers: Json | undefined): number | undefined {
  if (Array.isArray(covers) && covers[0] === COVER_TO_COME) return COVER_TO_COME;
  return firstCover(covers);
}

/** Subjects of both, each once in its first spelling; undefined when the work has them all and none twice. */
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

/** Nobody is made an author for a book that is there already. */
function knownAuthors(record: ImportRecord, found: Found): Json[] {
  const known = resolvedAuthors(record, found).flatMap((author) =>
    "stored" in author ? [{ key: author.stored.key, role: author.role }] : [],
  );
  return workAuthors(known);
}
