import { type AuthorRows, authorRows } from "../../search/indexing/plain-rows.ts";
import type { AuthorDocument, AuthorSums, StoredAuthor } from "../../search/documents/types.ts";
import type { IndexReader } from "../search/generation.ts";
import { batchRows, rows } from "../statement.ts";
import { NOTHING_SUMMED, aggregateAuthors } from "./author-sums.ts";
import { authorStatements } from "./write-documents.ts";

/**
 * Maximum number of works of an author whose sums are updated with every write of a work. The nightly pass updates the
 * others.
 */
export const SUMMED_WORKS_MAX = 20_000;

interface Row {
  readonly id: number;
  readonly version: number;
  readonly document: string;
  readonly work_count: number;
}

/** Recomputes the sums of authors that are in the index and do not have too many works. */
export async function refreshAuthors(index: IndexReader, ids: readonly number[]): Promise<void> {
  const authors = await rows<Row>(index.database, {
    sql: `SELECT a.id, a.version, a.document, a.work_count
          FROM json_each(?1) j JOIN author_${index.generation} a ON a.id = j.value`,
    values: [JSON.stringify(ids)],
  });
  const summed = authors.filter((row) => row.work_count <= SUMMED_WORKS_MAX);
  if (summed.length === 0) return;
  const sums = await aggregateAuthors(
    index,
    summed.map(({ id }) => id),
  );
  const changed = summed.flatMap((row) => changedRows(row, sums.get(row.id) ?? NOTHING_SUMMED));
  if (changed.length > 0) await batchRows(index.database, authorStatements(changed, index.generation));
}

function changedRows({ id, version, document }: Row, sums: AuthorSums): AuthorRows[] {
  // The column holds a document built by `authorRows`.
  const made = authorRows(withoutSums(JSON.parse(document) as StoredAuthor), { id, version, sums });
  return made.columns.includes(document) ? [] : [made];
}

/** Removes the members computed from an author's works, because some may no longer apply. */
export function withoutSums({
  work_count: _count,
  top_work: _work,
  top_subjects: _subjects,
  counts: _counts,
  ...author
}: StoredAuthor): AuthorDocument {
  return author;
}
