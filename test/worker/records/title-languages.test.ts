import { beforeAll, describe, expect, it } from "vitest";
import { jsonOf } from "../../support/worker/accounts.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { list } from "../../support/worker/lists.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const LIST = "/people/joe/lists/OL1L";
const inLanguages = (...codes: string[]) => ({
  languages: codes.map((code) => ({ key: `/languages/${code}` })),
});

beforeAll(async () => {
  await service.load(
    ...["spa", "eng", "ara", "rus"].map((code) => language(code, code)),
    author(1),
    // All editions are Spanish.
    work(1, { title: "El viaje", authors: [1], description: "Un viaje por el mar", subjects: ["Sea"] }),
    edition(1, {
      work: 1,
      title: "El viaje",
      subtitle: "Una historia",
      first_sentence: "Llovía.",
      by_statement: "de Ana",
      table_of_contents: [{ title: "La costa" }],
      ...inLanguages("spa"),
    }),
    // Its Spanish edition has its title.
    work(2, { title: "El barco", authors: [1], description: "A ship", subjects: ["Sea"] }),
    edition(2, { work: 2, title: "El barco", ...inLanguages("spa") }),
    edition(3, {
      work: 2,
      title: "The ship",
      ...inLanguages("eng"),
      translation_of: "El barco",
      translated_from: [{ key: "/languages/spa" }],
    }),
    // Arabic, romanized Russian, two languages, none stated.
    work(3, {
      title: "البحر",
      authors: [1],
      subjects: ["Sea"],
      original_languages: [{ key: "/languages/ara" }],
    }),
    edition(4, { work: 3, title: "البحر", ...inLanguages("ara") }),
    edition(5, { title: "More", ...inLanguages("rus") }),
    edition(6, { title: "Mar / Sea", ...inLanguages("spa", "eng") }),
    edition(7, { title: "Sea" }),
    work(4, { title: "El rumbo", original_languages: [{ key: "/languages/spa" }] }),
    edition(8, { work: 4, title: "The course", ...inLanguages("eng") }),
    edition(9, { work: 4, title: "Der Kurs", ...inLanguages("ger") }),
    list(
      LIST,
      ["/works/OL3W", "/books/OL1M", "/books/OL7M"].map((key) => ({ key })),
      { name: "Wet" },
    ),
  );
  const reader = await loggedIn(service, "Reader");
  await reader.fetch("/account/preferences.json", jsonOf({ public_readlog: "yes" }));
  await reader.fetch("/works/OL1W/bookshelves.json", {
    method: "POST",
    body: new URLSearchParams({ bookshelf_id: "3" }),
  });
  await indexAll();
});

const pageOf = async (path: string, accepted = "en"): Promise<string> => {
  const response = await service.fetch(path, {
    headers: { Accept: "text/html", "Accept-Language": accepted },
  });
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
const SPANISH_COVER = 'dir="auto"><cite lang="es">El viaje</cite></a>';
const SPANISH_ROW = '<cite lang="es" dir="auto">El viaje</cite>';

const MARKED: readonly (readonly [place: string, path: string, html: string])[] = [
  [
    "a work whose editions share a language",
    "/works/OL1W/El_viaje",
    '<h1 lang="es" dir="auto">El viaje</h1>',
  ],
  [
    "the description of such a work",
    "/works/OL1W/El_viaje",
    '<div class="text" lang="es"><p class="lines" dir="auto">Un viaje',
  ],
  [
    "the editions of a work",
    "/works/OL1W/El_viaje",
    '<a href="/books/OL1M/El_viaje"><bdi lang="es">El viaje</bdi></a>',
  ],
  [
    "a work by its edition with the same title",
    "/works/OL2W/El_barco",
    '<h1 lang="es" dir="auto">El barco</h1>',
  ],
  [
    "a description of unknown language",
    "/works/OL2W/El_barco",
    '<div class="text"><p class="lines" dir="auto">A ship',
  ],
  [
    "an edition in the language of the page",
    "/works/OL2W/El_barco",
    '<a href="/books/OL3M/The_ship"><bdi>The ship</bdi></a>',
  ],
  [
    "a heading from right to left",
    `/works/OL3W/${encodeURIComponent("البحر")}`,
    '<h1 lang="ar" dir="auto">البحر</h1>',
  ],
  [
    "an edition",
    "/books/OL1M/El_viaje",
    '<h1 lang="es" dir="auto">El viaje</h1><p class="lines" lang="es" dir="auto">Una historia</p>',
  ],
  ["a first sentence", "/books/OL1M/El_viaje", '<blockquote lang="es"><p class="lines" dir="auto">Llovía.'],
  ["a transcribed statement", "/books/OL1M/El_viaje", '<dd><span lang="es" dir="auto">de Ana</span></dd>'],
  ["contents", "/books/OL1M/El_viaje", '<span lang="es" dir="auto">La costa</span>'],
  [
    "the work of an edition",
    "/books/OL1M/El_viaje",
    '<a href="/works/OL1W/El_viaje"><bdi lang="es">El viaje</bdi></a>',
  ],
  [
    "the original title of a translation",
    "/books/OL3M/The_ship",
    '<dd><span lang="es" dir="auto">El barco</span></dd>',
  ],
  ["an edition in the page's own language", "/books/OL3M/The_ship", '<h1 dir="auto">The ship</h1>'],
  ["a romanized title", "/books/OL5M/More", '<h1 dir="auto">More</h1>'],
  ["a book in two languages", "/books/OL6M/Mar_Sea", '<h1 dir="auto">Mar / Sea</h1>'],
  ["a book without a stated language", "/books/OL7M/Sea", '<h1 dir="auto">Sea</h1>'],
  ["a search", "/search?q=viaje", SPANISH_ROW],
  [
    "a search, by the edition with the same title",
    "/search?q=barco&language=spa",
    '<cite lang="es" dir="auto">El barco</cite></a></p>',
  ],
  [
    "a search, by the original language",
    "/search?q=rumbo",
    '<cite lang="es" dir="auto">El rumbo</cite></a></p>',
  ],
  ["a search without either", "/search?q=ship&language=eng", '<cite dir="auto">El barco</cite></a></p>'],
  ["the button of a row", "/search?q=viaje", '<span class="unseen" lang="es"> El viaje</span>'],
  ["the edition that a search found", "/search?q=ship&language=eng", '<cite dir="auto">The ship</cite>'],
  ["a subject", "/subjects/sea", SPANISH_ROW],
  ["the works of an author", "/authors/OL1A/Author_1", '<cite lang="ar" dir="auto">البحر</cite>'],
  ["the editions of a list", `${LIST}/Wet`, SPANISH_ROW],
  ["the works of a list", `${LIST}/Wet`, '<cite lang="ar" dir="auto">البحر</cite>'],
  ["a shelf", "/people/Reader/books/already-read", SPANISH_COVER],
  ["books that trend", "/trending/weekly", SPANISH_ROW],
  ["the first page", "/", SPANISH_COVER],
];

describe("languages of titles and texts", () => {
  it.each(MARKED)("are marked on %s", async (_place, path, html) => {
    expect(await pageOf(path)).toContain(html);
  });

  it("are relative to the page", async () => {
    expect(await pageOf("/works/OL1W/El_viaje", "es")).toContain('<h1 dir="auto">El viaje</h1>');
    expect(await pageOf("/books/OL3M/The_ship", "es")).toContain('<h1 lang="en" dir="auto">The ship</h1>');
  });
});
