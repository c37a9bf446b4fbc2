import type { WorkDocument } from "../../search/documents/types.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { type SubjectNames, type SubjectRow, subjectRows } from "../../search/indexing/plain-rows.ts";
import type { Generation } from "../search/generation.ts";
import type { Statement } from "../statement.ts";

interface Affected {
  /** Identifiers of the authors, such as `OL1A`. */
  readonly olids: ReadonlySet<string>;
  /** All spellings, old and new, of subjects that a work gained, lost or spells differently. */
  readonly subjects: readonly SubjectRow[];
  /** Keys of subjects that a work lost, and that may have no works any more. */
  readonly lost: ReadonlySet<string>;
}

export interface OldRow {
  readonly id: number;
  readonly authors: string | null;
  readonly subjects: string;
}

/** Returns a statement that reads an `OldRow` for each work in the index. */
export function oldWorksStatement(ids: readonly number[], generation: Generation): Statement {
  return {
    sql: `SELECT d.id, d.document -> 'author_key' AS authors, json_object('subject', d.document -> 'subject',
            'person', d.document -> 'person', 'place', d.document -> 'place', 'time', d.document -> 'time') AS subjects
          FROM json_each(?1) j JOIN work_document_${generation} d ON d.id = j.value`,
    values: [JSON.stringify(ids)],
  };
}

type OldWork = SubjectNames & Pick<WorkDocument, "author_key"> & { readonly id: number };

export function oldWorkOf({ id, authors, subjects }: OldRow): OldWork {
  // The columns hold members of a document written by `workStatements`.
  const names = JSON.parse(subjects) as SubjectNames;
  return { ...names, id, author_key: JSON.parse(authors ?? "[]") as string[] };
}

/**
 * Returns the documents that change with works about to be written or deleted: those they refer to now, and those
 * before. A work keeps most of its subjects, up to a hundred thousand, and these need no new count.
 */
export function findAffected(
  old: readonly OldWork[],
  { ids, works, prefix }: { ids: readonly number[]; works: readonly WorkDocument[]; prefix: string },
): Affected {
  const before = new Map(old.map((work) => [work.id, subjectRows(work)]));
  const after = new Map(works.map((work) => [workIdOfKey(work.key, prefix) ?? 0, subjectRows(work)]));
  const changed = new Set<string>();
  const lost = new Set<string>();
  for (const id of ids) {
    const [had, has] = [before.get(id) ?? [], after.get(id) ?? []];
    for (const { key } of subtractSubjects(had, has)) changed.add(key);
    for (const { key } of subtractSubjects(has, had)) changed.add(key);
    const remaining = new Set(has.map(({ key }) => key));
    for (const { key } of had) if (!remaining.has(key)) lost.add(key);
  }
  const spellings = [...before.values(), ...after.values()]
    .flat()
    .filter(({ key }) => changed.has(key))
    .map((subject) => [subject.nameToken, subject] as const);
  const olids = new Set([...works, ...old].flatMap((work) => work.author_key ?? []));
  return { olids, subjects: [...new Map(spellings).values()], lost };
}

function subtractSubjects(subjects: readonly SubjectRow[], others: readonly SubjectRow[]): SubjectRow[] {
  const otherTokens = new Set(others.map(({ nameToken }) => nameToken));
  return subjects.filter(({ nameToken }) => !otherTokens.has(nameToken));
}
