import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { passKeySecond } from "../../../src/db/edge-limits.ts";
import { TARGET_PAGE_WORKS } from "../../../src/worker/search/result-parts.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";
import { dataOf, hrefs, textOf } from "../../support/worker/page-text.ts";

const index = countedDatabase(env.SEARCH);
const catalog = countedDatabase(env.CATALOG);
const service = testService({ SEARCH: index.database, CATALOG: catalog.database });
const HTML = { headers: { Accept: "text/html" } };
const page = async (path: string): Promise<string> => {
  const response = await service.fetch(path, HTML);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

beforeAll(async () => {
  await addItem("openscan", ["americana"]);
  await service.load(
    language("eng", "English"),
    author(1, { name: "Ann <b>Lee</b>" }),
    author(2, { name: "Bob" }),
    ...numbers(30).map((at) =>
      work(100 + at, {
        title: `Whale ${String(at).padStart(2, "0")}`,
        authors: [at < 20 ? 1 : 2],
        subjects: at % 2 === 0 ? ["Whales & Sea"] : ["whales & sea", "Boats"],
        subject_people: at < 3 ? ["Captain Ahab, 1800-1850"] : [],
      }),
    ),
    ...numbers(30).map((at) =>
      edition(100 + at, {
        work: 100 + at,
        publish_date: String(1900 + at),
        publishers: [at < 6 ? "A & B / C: Press" : "Other"],
        languages: [{ key: "/languages/eng" }],
        ...(at === 4 ? { ocaid: "openscan", covers: [44] } : {}),
      }),
    ),
    ...numbers(6).map((at) => edition(200 + at, { work: 125 })),
    { key: "/publishers/OL5P", type: "/type/publisher", name: "A record" },
    { key: "/tags/OL3T", type: "/type/tag", name: "whales sea", tag_type: "subject", slugs: ["whales__sea"] },
  );
  await indexAll();
});

beforeEach(async () => {
  // The service writes a key once a minute.
  service.now += 61_000;
  passKeySecond();
  const { keys } = await env.CACHE.list();
  for (const { name } of keys) await env.CACHE.delete(name);
});

/** Addresses of the books of a page, in their order. */
const titles = (html: string): string[] =>
  [...html.matchAll(/<p class="title"><a href="([^"]+)"/g)].map(([, href = ""]) => href);

describe("GET /subjects/{key} for browsers", () => {
  it("shows works and facets like the JSON", async () => {
    const html = await page("/subjects/whales__sea");
    const text = textOf(html);
    expect(html).toContain('<h1><span dir="auto">Whales &amp; Sea</span></h1>');
    expect(text).toContain("30 works, page 1 of 2");
    expect(text).toContain("Notable authors: Bob");
    expect(hrefs(html)).toContain("/tags/OL3T");
    expect(text).toContain("Boats 15");
    expect(text).toContain("Captain Ahab, 1800-1850 3");
    expect(text).toContain("English 30");
    expect(html).toContain('aria-label="Years from 1900 to 1929; peak in');
    expect(hrefs(html)).toEqual(
      expect.arrayContaining(["/authors/OL1A", "/subjects/whales__sea/lists", "/languages/eng"]),
    );
    expect(html).not.toContain("<b>Lee");
    expect(dataOf(html)).toMatchObject({ "@type": "ItemList", name: "Whales & Sea", numberOfItems: 30 });
    const json = hrefs(html).find((href) => href.includes(".json")) ?? "";
    expect(await service.json(json)).toMatchObject({ work_count: 30, name: "Whales & Sea" });
  });

  it("pages through the works", async () => {
    const shown: string[] = [];
    for (const number of [1, 2]) {
      const html = await page(`/subjects/whales__sea?sort=title&page=${number}`);
      shown.push(...titles(html));
    }
    expect(shown).toEqual(numbers(30).map((at) => `/works/OL${100 + at}W`));
    expect(TARGET_PAGE_WORKS).toBeLessThan(30);
  });

  it("filters works", async () => {
    expect(textOf(await page("/subjects/whales__sea?published_in=1900-1904"))).toContain("5 works");
    const readable = await page("/subjects/whales__sea?has_fulltext=true");
    expect(textOf(readable)).toContain("1 work ");
    expect(textOf(readable)).toContain("Free to read");
    expect(readable).toContain('<img src="/b/id/44-M.jpg"');
    expect(readable).toContain('id="has_fulltext" name="has_fulltext" checked');
    expect(textOf(await page("/subjects/boats?published_in=1800"))).toContain("0 works");
    expect(textOf(await page("/subjects/boats?sort=zzz&has_fulltext=perhaps"))).toContain("15 works");
  });

  it.each([
    ["/subjects/Sea+Lions", "/subjects/sea_lions"],
    ["/subjects/Boats?page=2", "/subjects/boats?page=2"],
    ["/subjects/people/Captain_Ahab", "/subjects/person:captain_ahab"],
    ["/subjects/places/x", "/subjects/place:x"],
    ["/subjects/times/a/b%3F", "/subjects/time:a/b%3F"],
    ["/subjects/PERSON:X", "/subjects/person:x"],
  ])("%s redirects to %s", async (path, target) => {
    const response = await service.fetch(path, HTML);
    expect([response.status, response.headers.get("Location")]).toEqual([301, target]);
    expect(response.headers.get("Vary")).toContain("Accept");
  });

  it("answers 404 without works, and an empty page to JSON clients", async () => {
    expect((await service.fetch("/subjects/nothing", HTML)).status).toBe(404);
    expect(await service.json("/subjects/nothing")).toMatchObject({ work_count: 0 });
    const program = await service.fetch("/subjects/Boats");
    expect(program.headers.get("Location")).toBe("/subjects/boats.json");
  });

  it("caches nothing for unknown subjects", async () => {
    expect((await service.fetch("/subjects/made_up_name", HTML)).status).toBe(404);
    await page("/subjects/boats");
    const names = async () => (await env.CACHE.list({ prefix: "about:" })).keys.map(({ name }) => name);
    await vi.waitFor(async () => expect(await names()).toContain("about:v1:subject_key:boats"));
    expect((await names()).filter((name) => name.includes("made_up_name"))).toEqual([]);
  });

  it("takes few round trips once cached", async () => {
    await page("/subjects/boats");
    for (const database of [index, catalog]) {
      database.statements.length = 0;
      database.batches.length = 0;
    }
    await page("/subjects/boats?sort=title");
    expect(roundTrips(index)).toBeLessThanOrEqual(3);
    expect(roundTrips(catalog)).toBe(0);
  });
});

describe("GET /publishers/{key} for browsers", () => {
  it("shows the works of exactly this publisher", async () => {
    const html = await page("/publishers/A_&_B_%2F_C:_Press");
    expect(html).toContain('<h1><span dir="auto">A &amp; B / C: Press</span></h1>');
    expect(textOf(html)).toContain("6 works");
    expect(textOf(html)).not.toContain("Notable authors");
    expect((await service.fetch("/publishers/a_&_b_%2F_c:_press", HTML)).status).toBe(404);
    expect((await service.fetch("/publishers/Nobody", HTML)).status).toBe(404);
    const json = hrefs(html).find((href) => href.includes(".json")) ?? "";
    expect(await service.json(json)).toMatchObject({ work_count: 6 });
  });

  it("leaves publisher records at their addresses", async () => {
    const read = { Accept: "application/json" };
    expect(await service.json("/publishers/OL5P", { headers: read })).toMatchObject({ name: "A record" });
    expect(await service.json("/publishers/OL5P.json")).toMatchObject({ name: "A record" });
    expect(await (await service.fetch("/publishers/OL5P.yml")).text()).toContain("name: A record");
  });
});

describe("GET /subjects and /publishers", () => {
  it("lists the most frequent values with the counts of their pages", async () => {
    expect(await service.json("/subjects.json")).toEqual({
      subjects: [
        { name: expect.stringMatching(/^whales & sea$/i), key: "/subjects/whales__sea", count: 30 },
        { name: "Boats", key: "/subjects/boats", count: 15 },
      ],
      people: [{ name: "Captain Ahab, 1800-1850", key: "/subjects/person:captain_ahab_1800-1850", count: 3 }],
      places: [],
      times: [],
    });
    for (const path of ["/subjects", "/publishers"]) {
      const html = await page(path);
      const listed = [...html.matchAll(/<a class="chip" href="([^"]+)">[^<]*<span class="n">(\d+)</g)];
      expect(listed.length).toBeGreaterThan(1);
      for (const [, href = "", count] of listed) {
        expect(textOf(await page(href.replaceAll("&amp;", "&")))).toContain(`${count} works`);
      }
    }
  });
});

describe("GET /subjects/{key}.json", () => {
  it("reads + between letters as a blank", async () => {
    await service.load(work(140, { subjects: ["Sea Lions", "C++"] }));
    await indexAll();
    const counts = ["sea+lions", "place:sea+lions", "c++"].map(async (key) => {
      const { key: shown, work_count } = Object(await service.json(`/subjects/${key}.json`));
      return [shown, work_count];
    });
    expect(await Promise.all(counts)).toEqual([
      ["/subjects/sea_lions", 1],
      ["/subjects/place:sea_lions", 0],
      ["/subjects/c++", 1],
    ]);
  });
});
