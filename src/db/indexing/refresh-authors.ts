import { type AuthorRows, authorRows } from "../../search/indexing/plain-rows.ts";
import type { AuthorSums, StoredAuthor } from "../../search/documents/stored.ts";
import type { AuthorDocument } from "../../search/documents/types.ts";
import type { IndexReader } from "../search/generation.ts";
import { batchRows, rows } from "../statement.ts";
import { NOTHING_SUMMED, aggregateAuthors } from "./author-sums.ts";
import { authorStatements } from "./write-documents.ts";

/** Authors with more works are not summed up with every write of one, only counted; the nightly pass does it. */
export const SUMMED_WORKS_MAX = 20_000;

interface Row {
  readonly id: number;
  readonly version: number;
  readonly document: string;
  readonly work_count: number;
}

/** Makes what authors owe to their works anew, for those that the index has and that have no great many works. */
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
  // The column holds what `authorRows` made.
  const made = authorRows(withoutSums(JSON.parse(document) as StoredAuthor), { id, version, sums });
  return made.columns.includes(document) ? [] : [made];
}

/** An author without what his works add up to: some of it may be no more. */
export function withoutSums({
  work_count: _count,
  top_work: _work,
  top_subjects: _subjects,
  counts: _counts,
  ...author
}: StoredAuthor): AuthorDocument {
  return author;
}
