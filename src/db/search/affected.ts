import type { WorkDocument } from "../../search/documents/types.ts";
import { authorIdOfKey } from "../../search/index/ids.ts";
import { type SubjectNames, type SubjectRow, subjectRows } from "../../search/index/subject-rows.ts";
import { type Database, rows } from "../statement.ts";
import type { Generation } from "./generation.ts";

/** Documents that change with works. */
export interface Affected {
  /** Numbers of authors. */
  readonly authors: ReadonlySet<number>;
  /** Every spelling of a subject that the works had or get. */
  readonly subjects: readonly SubjectRow[];
}

interface OldWork {
  readonly authors: string | null;
  readonly subjects: string;
}

/** What changes with works that are about to be written or deleted: what they name, and what they named before. */
export async function readAffected(
  database: Database,
  generation: Generation,
  { ids, works, prefix }: { ids: readonly number[]; works: readonly WorkDocument[]; prefix: string },
): Promise<Affected> {
  const old = await rows<OldWork>(database, {
    sql: `SELECT d.document -> 'author_key' AS authors, json_object('subject', d.document -> 'subject',
            'person', d.document -> 'person', 'place', d.document -> 'place', 'time', d.document -> 'time') AS subjects
          FROM json_each(?1) j JOIN work_document_${generation} d ON d.id = j.value`,
    values: [JSON.stringify(ids)],
  });
  // The columns hold members of documents as apply.ts wrote them.
  const oldAuthors = old.flatMap(({ authors }) =>
    authors === null ? [] : (JSON.parse(authors) as string[]),
  );
  const oldSubjects = old.map(({ subjects }) => JSON.parse(subjects) as SubjectNames);
  const olids = new Set(works.flatMap((work) => work.author_key ?? []).concat(oldAuthors));
  const authors = [...olids].flatMap((olid) => authorIdOfKey(`/authors/${olid}`, prefix) ?? []);
  return { authors: new Set(authors), subjects: distinct([...oldSubjects, ...works].flatMap(subjectRows)) };
}

function distinct(subjects: readonly SubjectRow[]): SubjectRow[] {
  return [...new Map(subjects.map((subject) => [subject.nameToken, subject])).values()];
}
