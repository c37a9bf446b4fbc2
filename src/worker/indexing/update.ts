import { readNamed } from "../../db/index-sources/named-records.ts";
import { pagesOf, readSizes } from "../../db/index-sources/pages.ts";
import { workIdOfKey } from "../../search/index/ids.ts";
import { type Writing, apply } from "./apply.ts";
import { authorsOfPage, listsOfPage, readPages, worksUpdate } from "./build.ts";
import type { Indexing } from "./indexing.ts";

/** Works that are read, built and written at once. */
export const PAGE_WORKS_MAX = 500;

/** Builds works anew, by their numbers in the index, and writes them. */
export async function indexWorks(indexing: Indexing, ids: Iterable<number>, writing: Writing): Promise<void> {
  const sizes = await readSizes(indexing.catalog, [...ids]);
  for await (const works of readPages(indexing, pagesOf(sizes, PAGE_WORKS_MAX))) {
    await apply(indexing, worksUpdate(indexing, works), writing);
  }
}

/** Builds authors anew. After their works, because their sums are made of these. */
export async function indexAuthors(
  indexing: Indexing,
  keys: readonly string[],
  writing: Writing,
): Promise<void> {
  for await (const { keys: own, page } of readNamed(indexing.catalog, keys)) {
    await apply(indexing, authorsOfPage(own, page), writing);
  }
}

/** Builds lists and series anew. After their works, because they show what these are about. */
export async function indexLists(
  indexing: Indexing,
  keys: readonly string[],
  writing: Writing,
): Promise<void> {
  for await (const { keys: own, page } of readNamed(indexing.catalog, keys)) {
    await apply(indexing, await listsOfPage(indexing, own, page), writing);
  }
}

/** Builds documents of any kind anew, by their keys; other keys are passed over. */
export async function indexKeys(
  indexing: Indexing,
  keys: readonly string[],
  writing: Writing,
): Promise<void> {
  const works = keys.flatMap((key) => workIdOfKey(key, indexing.prefix) ?? []);
  const authors = keys.filter((key) => key.startsWith("/authors/"));
  const lists = keys.filter((key) => /\/(?:lists|series)\//.test(key));
  await indexWorks(indexing, works, writing);
  await indexAuthors(indexing, authors, writing);
  await indexLists(indexing, lists, writing);
}
