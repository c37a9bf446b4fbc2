import { lastSegment } from "../../catalog/keys.ts";
import type { AuthorDocument, ListDocument, StoredAuthor } from "../../search/documents/types.ts";
import type { Versioned } from "../../search/engine.ts";
import { authorIdOfKey, workIdOfKey } from "../../search/indexing/ids.ts";
import { authorRows, listRows } from "../../search/indexing/plain-rows.ts";
import { authorDocument, listDocument } from "../../search/lucene/solr-documents.ts";
import { fieldIn } from "../../search/lucene/lucene-query.ts";
import { NOTHING_SUMMED } from "../indexing/author-sums.ts";
import {
  LIST_SUBJECTS,
  LIST_SUBJECT_SEEDS_MAX,
  memberTokens,
  namedSubjects,
} from "../indexing/list-subjects.ts";
import { SUMMED_WORKS_MAX, withoutSums } from "../indexing/refresh-authors.ts";
import { SUBJECT_FACETS, countEach, subjectsOf } from "./aggregates.ts";
import { sumAuthors } from "./author-sums.ts";
import { type SolrReader, numberIn, textIn } from "./reader.ts";
import { type Write, readNow } from "./write.ts";

/** Authors with what their works add up to now. */
export async function authorWrites(
  reader: SolrReader,
  authors: readonly Versioned<AuthorDocument>[],
): Promise<Write[]> {
  const numbered = authors.flatMap(({ document, version }) => {
    const id = authorIdOfKey(document.key, reader.prefix);
    return id === undefined ? [] : [{ id, version, document }];
  });
  const sums = await sumAuthors(
    reader,
    numbered.map(({ document }) => document.key),
  );
  return numbered.map(({ id, version, document }) => {
    const rows = authorRows(document, { id, version, sums: sums.get(document.key) ?? NOTHING_SUMMED });
    return { id: document.key, version, documentOf: () => authorDocument(rows) };
  });
}

/** The same for authors that Solr has, and that have no great many works: those of whom it has something else. */
export async function refreshedAuthors(reader: SolrReader, keys: readonly string[]): Promise<Write[]> {
  const found = await readNow(reader, keys, ["version", "document", "n_work_count"]);
  const known = [...found.values()].filter(
    (one) => one["kind"] === "author" && (numberIn(one, "n_work_count") ?? 0) <= SUMMED_WORKS_MAX,
  );
  const authors = known.map((one) => ({
    version: numberIn(one, "version") ?? 0,
    // The field holds what `authorRows` made.
    document: withoutSums(JSON.parse(textIn(one, "document")) as StoredAuthor),
  }));
  const writes = await authorWrites(reader, authors);
  return writes.filter(
    ({ id, documentOf }) => documentOf(undefined)["document"] !== found.get(id)?.["document"],
  );
}

/** Lists and series with what their works are about now. */
export async function listWrites(
  reader: SolrReader,
  lists: readonly Versioned<ListDocument>[],
): Promise<Write[]> {
  const counted = await countEach(
    reader,
    lists.map(({ document }) => memberQuery(document, reader.prefix)),
    SUBJECT_FACETS,
  );
  return lists.map(({ document, version }, at) => {
    const counts = subjectsOf(counted[at] ?? { count: 0 }, { limit: LIST_SUBJECTS, ties: -1 });
    const rows = listRows(document, version, namedSubjects(counts));
    return { id: document.key, version, documentOf: () => listDocument(rows) };
  });
}

function memberQuery({ seed }: ListDocument, prefix: string): string {
  const seeds = seed.slice(0, LIST_SUBJECT_SEEDS_MAX);
  const ids = seeds.flatMap((key) => workIdOfKey(key, prefix) ?? []);
  return `(${fieldIn("no", ids)}) (${fieldIn("work_token", seeds.flatMap(memberTokens))})`;
}

/** Keys of authors by their OLIDs. */
export function authorKeys(olids: Iterable<string>): string[] {
  return [...new Set(olids)].map((olid) => `/authors/${lastSegment(olid)}`);
}
