import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { INSIDE_PAGE_BOOKS, SEARCH_PAGE_NAMES } from "../../../src/worker/search/result-parts.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { hrefs, textOf } from "../../support/worker/page-text.ts";

const service = testService();
const HTML = { headers: { Accept: "text/html" } };
const page = async (path: string): Promise<string> => {
  const response = await service.fetch(path, HTML);
  expect([path, response.status]).toEqual([path, 200]);
  expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  return response.text();
};
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const inLanguages = (...codes: string[]) => ({
  languages: codes.map((code) => ({ key: `/languages/${code}` })),
});

beforeAll(async () => {
  await service.load(
    language("eng", "English", { name_translated: { de: ["Englisch"] } }),
    language("ger", "German", { name_translated: { de: ["Deutsch"] }, identifiers: { iso_639_1: ["de"] } }),
    author(1, { name: "Mark <b>Twain</b>", birth_date: "30 November 1835", death_date: "21 April 1910" }),
    ...numbers(130).map((at) => author(100 + at, { name: `Smith ${at}` })),
    work(1, {
      title: "Adventures",
      authors: [1],
      subjects: ["Rivers & boats"],
      subject_people: ["Huck Finn, 1800-"],
      subject_places: ["River C (USA)"],
    }),
    work(2, { title: "Boats again", authors: [1], subjects: ["Rivers & boats", "River beds"] }),
    edition(1, { work: 1, publishers: ["River <i>House</i>", "Other"], ...inLanguages("eng", "ger") }),
    edition(2, { work: 2, publishers: ["River <i>House</i>"], ...inLanguages("eng") }),
    edition(3, { title: "Lone", ...inLanguages("xyz") }),
    ...numbers(25).map((at) => edition(500 + at, { title: `Scan ${at}`, ocaid: `scan${at}` })),
  );
  for (const at of numbers(25)) {
    const text = at === 7 ? "The <u>steamboat</u> came round the bend" : "A steamboat went by";
    const headers = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
    await service.fetch(`/system/text/scan${at}`, { method: "PUT", body: text, headers });
  }
  await indexAll();
});

beforeEach(async () => {
  const { keys } = await env.CACHE.list();
  for (const { name } of keys) await env.CACHE.delete(name);
});

describe("GET /search/authors", () => {
  it("pages through authors", async () => {
    const html = await page("/search/authors?q=twain");
    expect(textOf(html)).toContain("1 author Authors");
    expect(textOf(html)).toContain("Mark <b>Twain</b> 30 November 1835 – 21 April 1910 2 Adventures");
    expect(hrefs(html)).toContain("/authors/OL1A");
    const [first, second] = [
      await page("/search/authors?q=smith&sort=name"),
      await page("/search/authors?q=smith&sort=name&page=2"),
    ];
    expect(hrefs(first)).toContain("/search/authors?q=smith&sort=name&page=2");
    const shown = [first, second].map((one) =>
      hrefs(one).filter((href) => /^\/authors\/OL1\d\dA|OL2\d\dA/.test(href)),
    );
    expect(shown.map(({ length }) => length)).toEqual([SEARCH_PAGE_NAMES, 30]);
    expect(new Set(shown.flat()).size).toBe(130);
  });

  it("is a form without a query, and ignores unknown sorts", async () => {
    expect(await page("/search/authors")).not.toContain('role="status"');
    expect(textOf(await page("/search/authors?q=twain&sort=zzz"))).toContain("1 author Authors");
  });
});

describe("GET /search/subjects", () => {
  it("links subjects of all kinds to their pages", async () => {
    const html = await page("/search/subjects?q=river*");
    expect(textOf(html)).toContain("3 subjects Subjects");
    expect(textOf(html)).toContain("Rivers & boats Subject 2");
    expect(textOf(html)).toContain("River C (USA) Place 1");
    const addresses = hrefs(html).filter((href) => href.startsWith("/subjects/"));
    expect(addresses).toHaveLength(3);
    for (const address of addresses) expect((await service.fetch(address, HTML)).status).toBe(200);
  });
});

describe("GET /search/publishers", () => {
  it("finds publishers by a part of the name", async () => {
    const html = await page("/search/publishers?q=house");
    expect(textOf(html)).toContain("River <i>House</i> 2");
    const address = hrefs(html).find((href) => href.startsWith("/publishers/")) ?? "";
    expect(textOf(await page(address))).toContain("2 works");
    expect(textOf(await page("/search/publishers?q=nobody"))).toContain("No publisher matches.");
  });
});

describe("GET /search/languages", () => {
  it.each(["eng", "English", "englisch"])("%s: counts the languages of works in that language", async (q) => {
    expect(await service.json(`/search/languages.json?q=${q}`)).toEqual({
      numFound: 2,
      docs: [
        { name: "English", key: "/languages/eng", marc_code: "eng", count: 2 },
        { name: "German", key: "/languages/ger", marc_code: "ger", count: 1 },
      ],
    });
    const html = await page(`/search/languages?q=${q}`);
    expect(textOf(html)).toContain("2 works in this language");
    expect(hrefs(html)).toContain("/languages/ger");
  });

  it("accepts codes without a record, and finds nothing for unknown names", async () => {
    expect(await service.json("/search/languages.json?q=xyz")).toMatchObject({ numFound: 1 });
    expect(await service.json("/search/languages.json?q=klingon")).toEqual({ numFound: 0, docs: [] });
    expect(await service.json("/search/languages.json")).toEqual({ numFound: 0, docs: [] });
    const german = await service.fetch("/search/languages.json?q=eng&lang=de");
    expect(await german.json()).toMatchObject({ docs: [{ name: "Englisch" }, { name: "Deutsch" }] });
  });
});

describe("GET /search/inside", () => {
  it("shows escaped snippets", async () => {
    const html = await page("/search/inside?q=the+steamboat+came");
    expect(textOf(html)).toContain("0 books");
    const bend = await page("/search/inside?q=came+round+the+bend");
    expect(textOf(bend)).toContain("1 book");
    expect(bend).toContain("&lt;u&gt;steamboat&lt;/u&gt;");
    expect(bend).toContain("<mark>round</mark>");
    expect(hrefs(bend).some((href) => href.startsWith("/books/OL507M"))).toBe(true);
  });

  it("pages through books", async () => {
    const [one, two] = [
      await page("/search/inside?q=steamboat"),
      await page("/search/inside?q=steamboat&page=2"),
    ];
    const shown = [one, two].map((html) => hrefs(html).filter((href) => href.startsWith("/books/OL5")));
    expect(shown.map(({ length }) => length)).toEqual([INSIDE_PAGE_BOOKS, 5]);
    expect(new Set(shown.flat()).size).toBe(25);
    expect(await page("/search/inside")).not.toContain('role="status"');
  });
});

it("GET /advancedsearch is a form for /search", async () => {
  const response = await service.fetch("/advancedsearch");
  const html = await response.text();
  expect(html).toContain('<form method="get" action="/search">');
  for (const name of ["q", "title", "author", "isbn", "subject", "has_fulltext"]) {
    expect(html).toContain(`<label for="${name}">`);
    expect(html).toMatch(new RegExp(`<(?:input|select)[^>]* id="${name}"`));
  }
  const empty = await service.fetch("/search?q=&title=adventures&author=&has_fulltext=", HTML);
  expect(empty.headers.get("Location")).toBe("/search?title=adventures");
});

describe("JSON clients", () => {
  it.each([
    "/search/authors?q=twain&fields=name",
    "/search/subjects?q=boats&limit=1",
    "/search/languages?q=eng",
    "/search/lists?q=x&api=next",
    "/publishers",
    "/subjects/place:river_c_(usa)?details=true",
    "/publishers/Other?details=true",
    "/stats/waitinglists",
  ])("get the .json response of %s", async (path) => {
    const [address = "", query = ""] = path.split("?");
    const response = await service.fetch(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get("Vary")).toMatch(/^Accept(,|$)/);
    expect(await response.json()).toEqual(await service.json(`${address}.json?${query}`));
    const html = await service.fetch(path, HTML);
    expect(html.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(html.headers.get("Vary")).toMatch(/^Accept(,|$)/);
  });
});
