import { author, authorKey, deleted, edition, redirected, work, workKey } from "./records.ts";
import type { TestRecord } from "./service.ts";

const inSeries = { series: [{ series: { key: "/series/OL7L" }, position: "1" }] };
const series = (name: string, revision = 1): TestRecord => ({
  key: "/series/OL7L",
  type: "/type/series",
  name,
  revision,
});

/** A catalog, and then changes of every kind that reaches documents of other records. */
export const CHANGING_CATALOG: readonly (readonly TestRecord[])[] = [
  [
    author(1, { name: "Ann" }),
    author(2, { name: "Bob" }),
    series("Saga"),
    work(1, { title: "First", authors: [1], subjects: ["Whales", "Sea"], ...inSeries }),
    work(2, { title: "Second", authors: [1, 2], subjects: ["Sea"] }),
    work(3, { title: "Third", authors: [2] }),
    edition(1, { work: 1 }),
    edition(2, { work: 1 }),
    edition(3, { work: 2 }),
    edition(4, { title: "Alone", authors: [{ key: authorKey(1) }] }),
    { key: "/people/jane/lists/OL3L", type: "/type/list", name: "Mine", seeds: [{ key: workKey(1) }] },
  ],
  [
    author(1, { name: "Anna", revision: 2 }),
    series("Long saga", 2),
    work(1, { title: "First", authors: [2], subjects: ["Whales"], revision: 2 }),
    edition(2, { work: 2, revision: 2 }),
    edition(4, { title: "Alone", work: 3, revision: 2 }),
  ],
  [
    redirected(authorKey(2), authorKey(1)),
    redirected(workKey(2), workKey(1)),
    edition(3, { work: 1, revision: 2 }),
    deleted(workKey(3), 2),
    edition(1, { revision: 2 }),
  ],
];
