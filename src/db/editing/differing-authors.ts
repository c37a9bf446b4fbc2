import { type Json, authorKeysIn } from "../../catalog/record.ts";
import { readTargets } from "../redirects.ts";
import { nameText } from "../records/titles.ts";
import { type Database, rows } from "../statement.ts";

/** Edition that names other authors than its work, by the keys of both. */
export interface DifferingEdition {
  readonly id: number;
  readonly key: string;
  readonly title: string;
  readonly work: string;
  readonly authors: readonly string[];
  readonly workAuthors: readonly string[];
}

/** Editions compared by one statement. */
const COMPARED_EDITIONS = 2000;

const WITH_WORK = `
  SELECT e.id, e.key, e.document->'$.title' AS title, w.key AS work, e.document->'$.authors' AS authors,
    w.document->'$.authors' AS workAuthors
  FROM (SELECT id FROM record WHERE type = '/type/edition' AND id > ?1 ORDER BY id LIMIT ${COMPARED_EDITIONS}) m
  CROSS JOIN record e ON e.id = m.id
  LEFT JOIN record w ON w.key = e.document->>'$.works[0].key' AND w.type = '/type/work'
  ORDER BY e.id`;

interface ComparedRow extends Pick<DifferingEdition, "id" | "key"> {
  readonly work: string | null;
  readonly title: string | null;
  readonly authors: string | null;
  readonly workAuthors: string | null;
}

/**
 * Compares the authors of the editions after an id with those of their works. Merged authors count as their targets, and
 * editions without authors do not differ. `end`: id of the last edition compared; undefined after the last of all. Two
 * statements at most.
 */
export async function readDifferingEditions(
  database: Database,
  after: number,
): Promise<{ readonly found: readonly DifferingEdition[]; readonly end: number | undefined }> {
  const compared = await rows<ComparedRow>(database, { sql: WITH_WORK, values: [after] });
  const editions = compared.flatMap(({ id, key, title, work, ...lists }) => {
    const [authors, workAuthors] = [keysIn(lists.authors), keysIn(lists.workAuthors)];
    const differs = work !== null && authors.length > 0 && !isSameSet(authors, workAuthors);
    return differs ? [{ id, key, title: nameText(title) ?? "", work, authors, workAuthors }] : [];
  });
  const targets = await readTargets(
    database,
    editions.flatMap(({ authors, workAuthors }) => [...authors, ...workAuthors]),
  );
  const follow = (keys: readonly string[]) => keys.map((key) => targets.get(key) ?? key);
  const found = editions.filter(
    ({ authors, workAuthors }) => !isSameSet(follow(authors), follow(workAuthors)),
  );
  return { found, end: compared.length < COMPARED_EDITIONS ? undefined : compared.at(-1)?.id };
}

function keysIn(authors: string | null): string[] {
  // Part of a stored document.
  return authors === null ? [] : authorKeysIn(JSON.parse(authors) as Json);
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return new Set(some).symmetricDifference(new Set(others)).size === 0;
}
