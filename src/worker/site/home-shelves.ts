import { textOf } from "../../catalog/record.ts";
import { seedKindOf, seedTitleOf } from "../../catalog/lists/seed-entry.ts";
import { readListSeeds } from "../../db/lists/list-contents.ts";
import { toSubjectTarget, targetQueryOf } from "../../search/present/subjects.ts";
import { type Query, ALL, between } from "../../search/query/query.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import type { Document, SearchEngine } from "../../search/engine.ts";
import { readDerived } from "../http/derived-answers.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { readRanking } from "../patrons/activity/ranking.ts";
import { BOOK_VIEW_FIELDS, toBookView } from "../patrons/people/book-list.ts";
import { askIndex, withSearchErrors } from "../search/guarded.ts";
import type { ShownBook } from "../ui/book-row.ts";
import { firstPicture } from "../ui/cover.ts";
import type { Words } from "../ui/words.ts";

/** Shelf of the first page. */
export interface HomeShelf {
  /** Key of a text, or else the name of a subject or list. */
  readonly words?: Words;
  readonly name?: string;
  /** Page with all books of the shelf. */
  readonly href: string;
  readonly books: readonly ShownBook[];
}

const SHELF_BOOKS = 14;
const HOUR_SECONDS = 3600;
const MINUTES_SECONDS = 300;

/** Shelves that are a search of all works, with its order and the page that shows more. */
const SEARCHES = {
  editions: { words: "home.reprinted", sort: "editions", href: "/search?q=*&sort=editions", filters: [] },
  new: { words: "home.newest", sort: "key desc", href: "/recentchanges/add-book", filters: [] },
  readable: {
    words: "search.readable",
    sort: "trending",
    href: "/search?q=*&has_fulltext=true",
    filters: [between("ebook_access", "borrowable", null)],
  },
} as const satisfies Readonly<
  Record<string, { words: Words; sort: string; href: string; filters: readonly Query[] }>
>;

/** `subjects` are the subjects with most works, as links. */
export const SHELF_NAMES: readonly string[] = ["trending", "subjects", ...Object.keys(SEARCHES)];
const SUBJECT = /^\/subjects\/([^/\s]{1,100})$/;
const LIST = /^\/(?:people\/[\w-]{1,100}\/)?(?:lists|series)\/[A-Z]{2}\d{1,9}L$/;

/** Returns true for the name of a shelf of the first page: one of the service, a subject, or a list or series. */
export function isShelfName(name: string): boolean {
  return SHELF_NAMES.includes(name) || SUBJECT.test(name) || LIST.test(name);
}

/**
 * Reads a shelf but `trending` and `subjects`, up to an hour old. Undefined for a list that does not exist. One round trip if it
 * is not cached.
 */
export async function readHomeShelf(context: RequestContext, name: string): Promise<HomeShelf | undefined> {
  const [, subject] = SUBJECT.exec(name) ?? [];
  const isList = LIST.test(name);
  const make = async (): Promise<HomeShelf | undefined> => {
    if (isList) return readListShelf(context, name);
    if (subject !== undefined) {
      const target = toSubjectTarget(subject);
      const search = { query: targetQueryOf(target), filters: [], sort: "editions" };
      const [documents, [found]] = await Promise.all([
        findFirstWorks(context, search),
        askIndex(context, "home", (engine) => engine.getMany([target.key])),
      ]);
      return { name: textOf(found?.["name"]) ?? target.name, href: name, books: documents.map(toBookView) };
    }
    // The names of the service that are left are those of searches.
    const { words, href, ...search } = SEARCHES[name as keyof typeof SEARCHES];
    return { words, href, books: (await findFirstWorks(context, { query: ALL, ...search })).map(toBookView) };
  };
  const shelf = await readDerived(context, {
    name: `shelf:v1:${name}`,
    seconds: isList || name === "new" ? MINUTES_SECONDS : HOUR_SECONDS,
    make: async () => (await make()) ?? null,
    isEmpty: (made) => made === null || made.books.length === 0,
  });
  return shelf ?? undefined;
}

/** Finds the books that most readers shelved this week. Two round trips. */
export async function readTrendingShelf(
  context: RequestContext,
  engine: Promise<SearchEngine>,
): Promise<HomeShelf> {
  const ranking = {
    period: "weekly",
    hours: 0,
    minimum: 0,
    byCount: true,
    offset: 0,
    limit: SHELF_BOOKS,
  } as const;
  const [{ works }, found] = await Promise.all([readRanking(ranking, context), engine]);
  const keys = works.map(({ work }) => keyOfWorkId(work, context.settings.RECORD_PREFIX));
  const documents =
    keys.length === 0 ? [] : await withSearchErrors(() => found.getMany(keys, BOOK_VIEW_FIELDS), "home");
  return { words: "home.trending", href: "/trending", books: documents.map(toBookView) };
}

/** Reads the first books of a list from the catalog. One round trip. */
async function readListShelf(context: RequestContext, key: string): Promise<HomeShelf | undefined> {
  const found = await readListSeeds(catalogReader(context), key, { start: 0, count: SHELF_BOOKS });
  const books = found?.seeds.filter((seed) => ["work", "edition"].includes(seedKindOf(seed)));
  return (
    found && {
      name: textOf(found.list.members["name"]) ?? key,
      href: key,
      books: (books ?? []).map((seed) => ({
        key: seed.key,
        href: seed.key,
        title: seedTitleOf(seed),
        cover: firstPicture(seed.record?.members["covers"]),
      })),
    }
  );
}

interface WorkChoice {
  readonly query: Query;
  readonly filters: readonly Query[];
  readonly sort: string;
  readonly rows?: number;
  readonly fields?: readonly string[];
}

/** Finds the first works of a choice, by default those of a shelf. One round trip. */
export async function findFirstWorks(
  context: RequestContext,
  { sort, rows = SHELF_BOOKS, fields = ["key", ...BOOK_VIEW_FIELDS], ...selection }: WorkChoice,
): Promise<readonly Document[]> {
  const search = {
    ...selection,
    editionClauses: [],
    sort: parseWorkSort(sort, context.now).sorts,
    start: 0,
    rows,
    fields,
    withEditions: false,
  };
  return (await askIndex(context, "home", (engine) => engine.works(search))).documents;
}
