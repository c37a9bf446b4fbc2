import { addItem } from "./holdings.ts";
import { indexAll } from "./indexing.ts";
import { author, edition, work } from "./records.ts";
import type { TestService } from "./service.ts";

const language = (code: string) => [{ key: `/languages/${code}` }];

/** Loads and indexes some works with editions in several languages, scans and lists. */
export async function loadBooks(service: TestService): Promise<void> {
  await addItem("hobbitscan", ["inlibrary", "printdisabled"]);
  await addItem("quixotescan", ["americana"]);
  await addItem("blindscan", ["printdisabled"]);
  await service.load(
    author(1, { name: "J. R. R. Tolkien" }),
    author(2, { name: "Miguel de Cervantes" }),
    work(1, { title: "The Hobbit", authors: [1], subjects: ["Dwarves"], description: "A journey." }),
    work(2, {
      title: "The Silmarillion",
      authors: [1],
      series: [{ series: { key: "/series/OL5L" }, position: "1" }],
    }),
    work(3, { title: "Don Quixote", subtitle: "a novel", authors: [2], subjects: ["Knights", "Dwarves"] }),
    work(4, { title: "Nothing much" }),
    edition(11, {
      work: 1,
      title: "The Hobbit",
      languages: language("eng"),
      ocaid: "hobbitscan",
      publish_date: "1937",
    }),
    edition(12, {
      work: 1,
      title: "Der Hobbit",
      languages: language("ger"),
      publish_date: "1957",
      covers: [5],
    }),
    edition(31, {
      work: 3,
      title: "El Quijote",
      languages: language("spa"),
      ocaid: "quixotescan",
      publish_date: "1605",
      isbn_13: ["9780060935467"],
      description: { type: "/type/text", value: "Una novela." },
    }),
    edition(32, {
      work: 3,
      title: "Don Quixote",
      languages: language("eng"),
      publish_date: "1949",
      publishers: ["Penguin"],
    }),
    edition(41, { work: 4, ocaid: "blindscan" }),
    edition(91, { title: "Orphan edition" }),
    { key: "/series/OL5L", type: "/type/series", name: "Middle-earth" },
    {
      key: "/people/me/lists/OL1L",
      type: "/type/list",
      name: "L",
      seeds: [{ key: "/works/OL2W" }, { key: "/books/OL31M" }, "subject:love"],
    },
    { key: "/people/me/lists/OL2L", type: "/type/list", name: "Empty", seeds: [] },
  );
  await indexAll();
}

/** Members of a `/search.json` response that tests check. */
export interface Answer {
  readonly numFound: number;
  readonly num_found: number;
  readonly start: number;
  readonly docs: readonly Record<string, unknown>[];
}

/** Searches; fails on any other status than 200. */
export async function searchBooks(service: TestService, query: string, init?: RequestInit): Promise<Answer> {
  const response = await service.fetch(`/search.json?${query}`, init);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.json<Answer>();
}

/** Keys of the works of a page. */
export async function foundKeys(service: TestService, query: string, init?: RequestInit): Promise<unknown[]> {
  return (await searchBooks(service, `${query}&fields=key`, init)).docs.map(({ key }) => key);
}
