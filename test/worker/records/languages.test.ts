import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type LanguagePlace,
  FIRST_LANGUAGE as START,
  countLanguages,
} from "../../../src/db/records/languages.ts";
import { passKeySecond } from "../../../src/db/edge-limits.ts";
import { systemSources } from "../../../src/worker/http/bindings.ts";
import { jobsOf } from "../../../src/worker/http/queue.ts";
import { walkLanguages } from "../../../src/worker/records/languages.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

const service = testService();

interface Language {
  name: string;
  key: string;
  marc_code: string;
  count: number;
  ebook_edition_count: number;
}
const languages = async (search = "", init?: RequestInit, from = service): Promise<Language[]> => {
  const response = await from.fetch(`/languages.json${search}`, init);
  expect(response.status).toBe(200);
  return response.json<Language[]>();
};
const codes = async (search: string, init?: RequestInit): Promise<string[]> =>
  (await languages(search, init)).map(({ marc_code: code }) => code);
const inLanguages = (...list: string[]) => ({
  languages: list.map((code) => ({ key: `/languages/${code}` })),
});

beforeAll(async () => {
  await addItem("lend", ["inlibrary"]);
  await addItem("open", ["opensource"]);
  await addItem("shut", ["printdisabled"]);
  await addItem("empty", []);
  await addItem("hidden", ["opensource"], true);
  const names = (en: string, fr: string, own: string, iso: string) => ({
    name_translated: { en: [en], fr: [fr], [iso]: [own] },
    identifiers: { iso_639_1: [iso] },
  });
  await service.load(
    language("eng", "English", names("English", "anglais", "English", "en")),
    language("ger", "German", names("German", "allemand", "Deutsch", "de")),
    language("fre", "French", names("French", "français", "français", "fr")),
    language("enm", "English, Middle (1100-1500)"),
    language("epo", "Esperanto"),
    language("gmh", "German, Middle High"),
    language("old", "English (old code)", { deprecated: true }),
    language("ang", "  Anglo-Saxon "),
    ...[1, 2, 3, 4].map((id) => work(id)),
    work(5, { subjects: ["In library"] }),
    work(6, { subjects: ["Protected DAISY", "Accessible book"] }),
    work(7, { subjects: ["Accessible book"] }),
    redirected("/works/OL8W", "/works/OL1W", 1),
    // English: works 1, 2, 3; readable: lent, open, offered.
    edition(1, { work: 1, ocaid: "lend", ...inLanguages("eng") }),
    edition(2, { work: 1, ocaid: "open", ...inLanguages("eng", "eng") }),
    edition(3, { work: 2, ocaid: "shut", ...inLanguages("eng") }),
    edition(4, { work: 3, providers: [{ url: "http://a", access: "read" }], ...inLanguages("eng", "fre") }),
    edition(5, { work: 3, ocaid: "empty", ...inLanguages("eng") }),
    edition(6, { work: 3, ocaid: "hidden", ...inLanguages("eng") }),
    // German: works 1, 2; French: 3, 5, 6, 7.
    edition(7, { work: 1, ...inLanguages("ger") }),
    edition(8, { work: 2, identifiers: { project_gutenberg: ["1"] }, ...inLanguages("ger") }),
    edition(9, { work: 5, ocaid: "derived1", ...inLanguages("fre") }),
    edition(10, { work: 6, ocaid: "derived2", ...inLanguages("fre") }),
    edition(11, { work: 7, ocaid: "derived3", ...inLanguages("fre") }),
    // These editions are not counted.
    edition(12, { ...inLanguages("epo") }),
    edition(13, { work: 8, ...inLanguages("gmh") }),
    edition(14, { work: 99, ...inLanguages("gmh") }),
    edition(15, { work: 4, ...inLanguages("xyz") }),
    edition(16, { work: 4, ...inLanguages("ang") }),
  );
  await service.load(deleted("/books/OL16M", 2));
});

/** The counts are kept for five minutes. */
beforeEach(async () => {
  passKeySecond();
  await env.CACHE.delete("languages:v2");
});
afterEach(() => vi.restoreAllMocks());

describe("GET /languages.json", () => {
  it("counts works with an edition in a language, and readable editions", async () => {
    expect(await languages()).toEqual([
      { name: "French", key: "/languages/fre", marc_code: "fre", count: 4, ebook_edition_count: 3 },
      { name: "English", key: "/languages/eng", marc_code: "eng", count: 3, ebook_edition_count: 3 },
      { name: "German", key: "/languages/ger", marc_code: "ger", count: 2, ebook_edition_count: 1 },
      { name: "/languages/xyz", key: "/languages/xyz", marc_code: "xyz", count: 1, ebook_edition_count: 0 },
    ]);
  });

  it("does not derive holdings with DERIVE_HOLDINGS=off", async () => {
    const found = await languages("", undefined, testService({ DERIVE_HOLDINGS: "off" }));
    expect(found.find(({ marc_code: code }) => code === "fre")).toMatchObject({
      count: 4,
      ebook_edition_count: 1,
    });
  });

  it.each([
    ["?sort=count", ["fre", "eng", "ger", "xyz"]],
    ["?sort=name", ["xyz", "eng", "fre", "ger"]],
    ["?limit=2", ["fre", "eng"]],
    ["?sort=name&limit=1", ["xyz"]],
    ["?other=1", ["fre", "eng", "ger", "xyz"]],
  ])("%s", async (search, expected) => {
    expect(await codes(search)).toEqual(expected);
  });

  it.each([
    ["?sort=x", "literal_error", "Input should be 'count', 'name' or 'ebook_edition_count'"],
    ["?limit=0", "greater_than", "Input should be greater than 0"],
    ["?limit=x", "int_parsing", "Input should be a valid integer, unable to parse string as an integer"],
  ])("refuses %s", async (search, type, msg) => {
    const response = await service.fetch(`/languages.json${search}`);
    const [name, input] = search.slice(1).split("=");
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ type, msg, input, loc: ["query", name] }] });
  });

  it.each<[string, RequestInit | undefined, string]>([
    ["?lang=fr", undefined, "anglais"],
    ["?lang=de", undefined, "English"],
    ["", { headers: { Cookie: "x=1; HTTP_LANG=fr" } }, "anglais"],
    ["?lang=fr", { headers: { Cookie: "HTTP_LANG=de", "Accept-Language": "en" } }, "anglais"],
  ])("names languages for %s %j", async (search, init, name) => {
    const found = await languages(search, init);
    expect(found.find(({ marc_code: code }) => code === "eng")?.name).toBe(name);
  });

  it("names languages in Arabic on pages only, from Unicode", async () => {
    const headers = { Accept: "text/html", "Accept-Language": "ar" };
    const page = await (await service.fetch("/languages", { headers })).text();
    expect(page).toContain('<a href="/languages/eng">الإنجليزية</a>');
    expect(page).toContain('<a href="/languages/xyz">/languages/xyz</a>');
    const found = await languages("?lang=ar");
    expect(found.find(({ marc_code: code }) => code === "eng")?.name).toBe("English");
  });

  it("varies by language", async () => {
    const { headers } = await service.fetch("/languages.json");
    expect(headers.get("Vary")).toBe("Accept-Language, Cookie");
    expect(headers.get("Cache-Control")).toBe("public, max-age=60");
  });

  it("counts once in five minutes", async () => {
    const { database, statements } = countedDatabase(env.CATALOG);
    const counted = testService({ CATALOG: database });
    const first = await languages("", undefined, counted);
    expect(statements).toHaveLength(1);
    expect(await languages("?sort=name&limit=10", undefined, counted)).toHaveLength(first.length);
    expect(statements).toHaveLength(1);
  });

  it("stores counts that expire, so that changes need not delete them", async () => {
    const put = vi.spyOn(env.CACHE, "put");
    await languages("", undefined, testService());
    expect(put.mock.calls).toEqual([["languages:v2", expect.any(String), { expirationTtl: 300 }]]);
  });
});

describe("counting in parts", () => {
  it.each([1, 2, 3, 5, 8, 100])("gives the same sums for parts of %i", async (limit) => {
    const all = await countLanguages(env.CATALOG, START, { derive: true });
    expect(all.next).toBeNull();
    const sums = new Map(all.counts.map(({ code }) => [code, { works: 0, ebooks: 0 }]));
    for (let place: LanguagePlace | null = START; place !== null;) {
      const { counts, next } = await countLanguages(env.CATALOG, place, { derive: true, limit });
      for (const { code, works, ebooks } of counts) {
        const before = sums.get(code) ?? { works: 0, ebooks: 0 };
        sums.set(code, { works: before.works + works, ebooks: before.ebooks + ebooks });
      }
      place = next;
    }
    expect(all.counts.length).toBeGreaterThan(4);
    for (const { code, works, ebooks } of all.counts) expect(sums.get(code)).toEqual({ works, ebooks });
  });

  it("keeps the last count while the sweep continues", async () => {
    const own = testService();
    const jobs = { ...jobsOf(env), sources: { ...systemSources, now: () => own.now } };
    const before = await languages("?limit=1000", undefined, own);
    await env.CATALOG.prepare(
      `INSERT INTO edition_language (language, work_id, edition_id, open)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT 'aaa', 0, i, 0 FROM n`,
    ).run();
    const later = async () => {
      own.now += 3_600_000;
      passKeySecond();
      await env.CACHE.delete("languages:v2");
      return languages("?limit=1000", undefined, own);
    };
    // One statement sees nothing but editions without a work.
    expect(await later()).toEqual([]);
    passKeySecond();
    await walkLanguages(jobs);
    expect(await later()).toEqual(before);
    // The counts stay until the next count has ended.
    await env.CATALOG.prepare("DELETE FROM edition_language WHERE language = 'fre'").run();
    expect(await later()).toEqual(before);
    passKeySecond();
    await walkLanguages(jobs);
    expect(await later()).toEqual(before.filter(({ marc_code: code }) => code !== "fre"));
  });
});

describe("GET /languages/_autocomplete", () => {
  const complete = async (search: string, init?: RequestInit): Promise<unknown> => {
    const response = await service.fetch(`/languages/_autocomplete${search}`, init);
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toContain("max-age=86400");
    return response.json();
  };
  const names = async (search: string, init?: RequestInit): Promise<string[]> =>
    Object(await complete(search, init)).map(({ name }: { name: string }) => name);

  it("returns key, code and name, prefix matches first", async () => {
    expect(await complete("?q=eng")).toEqual([
      { key: "/languages/eng", code: "eng", name: "English" },
      { key: "/languages/enm", code: "enm", name: "English, Middle (1100-1500)" },
    ]);
  });

  it.each([
    ["?q=middle", ["English, Middle (1100-1500)", "German, Middle High"]],
    ["?q=e", ["English", "English, Middle (1100-1500)", "Esperanto"]],
    ["?q=deut", ["German"]],
    ["?q=Fran%C3%A7ais", ["French"]],
    ["?q=saxon", ["Anglo-Saxon"]],
    ["?q=old", []],
    ["?q=germn", ["German", "German, Middle High"]],
    ["?q=espernato", ["Esperanto"]],
    ["?q=xyzzy", []],
    ["?q=%25", []],
    ["?q=h&limit=100", ["German, Middle High"]],
    ["?q=g&limit=1", ["German"]],
    ["?q=g&limit=1000", ["German", "German, Middle High"]],
    ["?q=", ["Anglo-Saxon", "English", "English, Middle (1100-1500)", "Esperanto", "French"]],
    ["?q=angl&lang=fr", ["anglais", "Anglo-Saxon"]],
    ["?q=german&lang=fr", ["German, Middle High", "allemand"]],
  ])("%s", async (search, expected) => {
    expect(await names(search)).toEqual(expected);
  });
});

it("GET /languages/<code>.json returns the record", async () => {
  expect(await service.json("/languages/epo.json")).toMatchObject({
    code: "epo",
    name: "Esperanto",
    revision: 1,
  });
  expect((await service.fetch("/languages/xyz.json")).status).toBe(404);
});
