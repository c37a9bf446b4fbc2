import { beforeAll, describe, expect, it } from "vitest";
import { searchBooks } from "../../support/worker/books.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { hrefs, textOf } from "../../support/worker/page-text.ts";
import { author, edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const AUTHORS = ["Stephen King", "Steven Erikson", "J. R. R. Tolkien", "Dan Brown", "J. D. Salinger"];
const BOOKS: readonly (readonly [title: string, author: number])[] = [
  ["The Hobbit", 3],
  ["The Habit", 4],
  ["It", 1],
  ["Seven Kings", 5],
  ["Gardens of the Moon", 2],
  ["The Lord of the Rings", 3],
  ["The Da Vinci Code", 4],
  ["The Catcher in the Rye", 5],
  ["三体", 2],
  ["あ", 2],
  ["V", 2],
  ["Loud Noises", 2],
  ["Eat, Pray, Love", 2],
  ["Of Mice and Men", 2],
  ["Slaughterhouse-Five", 2],
  ["Catch-22", 2],
  ["The Hundred and One Dalmatians", 2],
  ["Henry V", 2],
];

beforeAll(async () => {
  await service.load(
    language("eng", "English"),
    ...AUTHORS.map((name, at) => author(at + 1, { name })),
    ...BOOKS.map(([title, by], at) => work(at + 1, { title, authors: [by], subjects: ["Fiction"] })),
    ...BOOKS.map(([title], at) =>
      edition(at + 1, {
        work: at + 1,
        title,
        ...(title === "Loud Noises" && { other_titles: ["Bruits Tonitruants"] }),
        languages: [{ key: "/languages/eng" }],
        publishers: [title === "V" ? "Hobitt Press" : "Press"],
      }),
    ),
  );
  await indexAll();
});

const find = async (query: string) => {
  const response = await service.fetch(`/search.json?${query}&fields=title`);
  expect(response.status).toBe(200);
  const { docs } = await response.json<{ docs: { title: string }[] }>();
  const texts = ["X-Corrected-Query", "X-Suggested-Query"].map((name) => response.headers.get(name));
  return [docs[0]?.title, ...texts.map((text) => text && decodeURIComponent(text))];
};

describe("GET /search.json: misspelt phrases (Q82)", () => {
  it.each([
    ["the hobit", "The Hobbit", "the hobbit"],
    ["steven king", "It", "stephen king"],
    ["catcher in the rie", "The Catcher in the Rye", "catcher in the rye"],
    ["lord of teh rings", "The Lord of the Rings", "lord of the rings"],
    ["bruitz tonitruants", "Loud Noises", "bruits tonitruants"],
    ["davinci code", "The Da Vinci Code", "da vinci code"],
    ["eat pray luv", "Eat, Pray, Love", "eat pray love"],
    ["of mice an men", "Of Mice and Men", "of mice and men"],
    ["of mise an men", "Of Mice and Men", "of mice and men"],
    ["slaughterhouse 5", "Slaughterhouse-Five", "slaughterhouse five"],
    ["catch twenty two", "Catch-22", "catch 22"],
    ["101 dalmatians", "The Hundred and One Dalmatians", "hundred and one dalmatians"],
    ["henry 5", "Henry V", "henry v"],
    ["the catch er in the rye", "The Catcher in the Rye", "the catcher in the rye"],
    ['"lord of teh rings" tolkein', "The Lord of the Rings", '"lord of the rings" tolkien'],
  ])("corrects %s", async (q, title, corrected) => {
    expect(await find(`q=${encodeURIComponent(q)}`)).toEqual([title, corrected, null]);
  });

  it("keeps the other parameters", async () => {
    expect(await find("q=the+hobit&language=eng&author_key=OL3A")).toEqual([
      "The Hobbit",
      "the hobbit",
      null,
    ]);
    expect(await find("q=the+hobit&author_key=OL1A")).toEqual([undefined, null, null]);
  });

  // Q660
  it.each([
    [
      "suggests a phrase if a word of other titles is replaced in a part of a title",
      "loud tolkien",
      undefined,
      "lord tolkien",
    ],
    ["suggests a phrase if the few works found have the words elsewhere", "hobitt", "V", "hobbit"],
    ["suggests no phrase if none is better", "it stephen", "It", null],
  ])("%s", async (_case, q, title, suggested) => {
    expect(await find(`q=${encodeURIComponent(q)}`)).toEqual([title, null, suggested]);
  });
});

it("GET /search/facets.json counts the works of the corrected phrase", async () => {
  const response = await service.fetch("/search/facets.json?q=lord+of+teh+rings&field=author_facet");
  expect(response.headers.get("X-Corrected-Query")).toBe("lord%20of%20the%20rings");
  expect(await response.json()).toEqual({
    author_facet: [{ value: "OL3A", label: "J. R. R. Tolkien", count: 1 }],
  });
});

it("corrects the title of parameters", async () => {
  expect(await find("title=slaughterhouse+5")).toEqual(["Slaughterhouse-Five", "five", null]);
});

describe("GET /search", () => {
  const page = async (query: string): Promise<string> => {
    const response = await service.fetch(`/search?${query}`, { headers: { Accept: "text/html" } });
    expect(response.status).toBe(200);
    return response.text();
  };

  it("shows the facets of a corrected phrase", async () => {
    const html = await page("q=lord+of+teh+rings");
    expect(textOf(html)).toContain("Showing results for “lord of the rings”.");
    expect(hrefs(html)).toContain("/search?q=lord+of+teh+rings&subject_facet=Fiction");
  });

  it("includes the works of a sure correction if few are found (Q832)", async () => {
    const html = await page("q=hobitt");
    expect(textOf(html)).toContain("2 books");
    expect(textOf(html)).toContain("Includes results for “hobbit”.");
    const books = [...html.matchAll(/<p class="title"><a href="([^"]+)"/g)].map(([, href]) => href);
    expect(books).toEqual(["/works/OL1W", "/works/OL11W"]);
    expect(hrefs(html)).toContain("/search?q=hobbit");
    // The facets, and the request that has these works.
    expect(hrefs(html)).toContain("/search?q=hobitt&author_key=OL3A");
    expect(html).toContain("/search.json?q=%28hobitt%29+OR+%28hobbit%29");
    expect(textOf(await page("q=hobitt&sort=new"))).toContain("1 book");
  });

  it("suggests a phrase (Q660)", async () => {
    const html = await page("q=loud+tolkien&language=eng");
    expect(textOf(html)).toContain("Did you mean “lord tolkien”");
    expect(hrefs(html)).toContain("/search?q=lord+tolkien&language=eng");
  });
});

describe("titles of one or two characters (Q661)", () => {
  it.each(["q=It", "q=it", "q=三体", "q=あ", "q=V", "title=It", "title=三体"])(
    "are found by /search.json?%s",
    async (query) => {
      const { docs } = await searchBooks(service, `${query}&fields=title`);
      expect(String(docs[0]?.["title"]).toLowerCase()).toBe(query.split("=")[1]?.toLowerCase());
    },
  );

  it.each([
    "/search?q=It",
    "/search.atom?q=It",
    "/search/facets.json?q=It&field=language",
    "/opds/books?q=It",
    "/opds/books.json?q=三体",
    "/works/_autocomplete?q=It",
    "/sru?query=It",
  ])("are accepted by %s", async (path) => {
    expect((await service.fetch(path)).status).toBe(200);
  });

  it("are 422 if no work has them", async () => {
    expect((await service.fetch("/search.json?q=Xy")).status).toBe(422);
  });
});
