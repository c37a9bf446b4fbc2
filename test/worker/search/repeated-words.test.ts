import { env, exports } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

const index = countedDatabase(env.SEARCH);
const service = testService({ SEARCH: index.database });
const LARGE = [1, 2, 3];
/** Subjects in which one word is in 250,000 places. */
const SUBJECTS = Array.from({ length: 1000 }, (_, at) => `${"a ".repeat(250)}x${at}`);
/** A title of 40 words, with repeated ones, and a title of a script without blanks. */
const TITLE = `A tale of a place, a night and a day, told ${Array.from({ length: 28 }, (_, at) => `word${at}`).join(" ")}`;
const KANJI = "転生したら第七王子だったので気ままに魔術を極めますそして世界の果てまで旅をする物語";
const words = (count: number, word = "a", blank = " ") => Array<string>(count).fill(word).join(blank);

beforeAll(async () => {
  for (const number of LARGE) {
    await service.loadUnindexed(work(number, { title: `Large ${number}`, subjects: SUBJECTS }));
  }
  const toc = SUBJECTS.slice(0, 900).map((title) => ({ type: { key: "/type/toc_item" }, title }));
  await service.loadUnindexed(
    work(4, { title: TITLE, subjects: ["a a a b"] }),
    work(5, { title: KANJI, subjects: ["b a a a a"] }),
    ...LARGE.map((number) => edition(number, { title: "Large", work: number, table_of_contents: toc })),
  );
  await indexAll();
  await service.json("/search.json?q=large&limit=0");
});

beforeEach(() => {
  index.statements.length = 0;
});

const COMPOUND = words(32, "a", "-");
const solr = (query: string) => exports.SearchEngine.fetch(`http://search.test/solr/x/select?${query}`);
const found = async (q: string) => {
  const { numFound, docs } = Object(
    await service.json(`/search.json?${new URLSearchParams({ q, fields: "key" })}`),
  );
  return [numFound, ...docs.map(({ key }: { key: string }) => key)];
};

describe("words that a search repeats", () => {
  it.each([
    ["/search.json", { q: `"${words(32)}"` }],
    ["/search.json", { q: COMPOUND }],
    ["/search.json", { q: words(32, "a", ")") }],
    ["/search.json", { q: `subject:${COMPOUND}`, sort: "new" }],
    ["/search.json", { subject: COMPOUND }],
    ["/search.json", { query: JSON.stringify({ q: COMPOUND }) }],
    ["/search.json", { q: `subject:${words(31, "a", "-")}*` }],
    ["/search.json", { q: Array.from({ length: 20 }, (_, at) => `"a x${at}"`).join(" OR ") }],
    ["/search.json", { q: `chapter:${COMPOUND} language:eng publisher:x` }],
    ["/search/facets.json", { q: COMPOUND, field: "language" }],
    ["/search", { q: COMPOUND }],
    ["/search.atom", { q: COMPOUND }],
    ["/opds/books.json", { q: COMPOUND }],
    ["/reconcile", { query: COMPOUND }],
    ["/works/_autocomplete", { q: `${words(19)} large` }],
    ["/works/_autocomplete", { q: words(19, "a", "-") }],
    ["/sru", { query: `dc.subject adj "${words(32)}"` }],
  ])("are refused before %s searches for them: %j", async (path, query) => {
    const response = await service.fetch(`${path}?${new URLSearchParams(query)}`);
    expect(response.status).toBe(path === "/sru" ? 200 : 400);
    expect(await response.text()).toMatch(/“[^”]+” is too broad/);
    for (const sql of index.statements) expect(sql).not.toContain("MATCH");
  });

  it.each(["", "&fq=type:edition"])("are refused by the search engine%s", async (more) => {
    const response = await solr(`q=${encodeURIComponent(`chapter:"${words(32)}"`)}${more}`);
    expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(/is too broad/)]);
  });

  it("are named on the page", async () => {
    const response = await service.fetch(`/search?q=${COMPOUND}`, { headers: { Accept: "text/html" } });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toMatch(/“<bdi>a a a[^”]*<\/bdi>” is too broad/);
    expect(html).toContain('<input id="site-search"');
  });

  it("are found in a row where they are in few places", async () => {
    expect(await found('subject:"a a b"')).toEqual([1, "/works/OL4W"]);
    expect(await found('subject:"b a a a"')).toEqual([1, "/works/OL5W"]);
    expect(await found(`subject:"${words(20, "b")}"`)).toEqual([0]);
  });

  it("are found once in a row", async () => {
    expect((await found('subject:"a a"'))[0]).toBe(5);
  });
});

describe("phrases", () => {
  it("have at most 32 words", async () => {
    const phrase = Array.from({ length: 33 }, (_, at) => `w${"abcdefgh"[at % 8]}${"abcde"[at >> 3]}`);
    expect(await found(`"${phrase.slice(1).join(" ")}"`)).toEqual([0]);
    for (const path of [
      "/search.json",
      "/search/authors.json",
      "/search/subjects.json",
      "/search/lists.json",
    ]) {
      const response = await service.fetch(`${path}?q=${encodeURIComponent(`"${phrase.join(" ")}"`)}`);
      const detail = "“waa wba wca wda wea wfa wga wha …” has more than 32 words in a row";
      expect([response.status, await response.json()]).toEqual([400, { detail }]);
    }
  });

  it.each([TITLE, `${TITLE} -zzz`, KANJI, `"${KANJI}"`])("do not limit titles: %s", async (title) => {
    expect((await found(title))[0]).toBe(1);
  });
});
