import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { addItem } from "../../support/worker/holdings.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, language, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedWaves } from "../../support/worker/statements.ts";

const service = testService({ BASE_URL: "http://carrel.example" });
const HTML = { Accept: "text/html" };
const html = (path: string) => service.fetch(path, { headers: HTML });
const text = async (path: string) => {
  const response = await html(path);
  expect(response.status).toBe(200);
  return response.text();
};
const leads = async (path: string, headers: Record<string, string> = {}) => {
  const response = await service.fetch(path, { headers });
  return [response.status, response.headers.get("Location")];
};
let librarian: LoggedIn;
let chief: LoggedIn;

beforeAll(async () => {
  await service.load(
    author(1, { name: "Many <i>Works</i>" }),
    author(2, { name: "Few" }),
    author(3, { name: "Endless" }),
    language("eng", "English"),
    language("fre", "French"),
    work(1, { title: "The Hobbit", authors: [1], covers: [9] }),
    work(2, { title: "Hobbit", authors: [1], subtitle: "There & back", first_publish_date: "1937" }),
    work(3, { title: "THE HOBBIT", authors: [1] }),
    work(4, { title: "Emma", authors: [1] }),
    work(6, { title: "Endless".repeat(1000), authors: [3] }),
    work(7, { title: "Endless".repeat(1000), authors: [3] }),
    work(5, { title: "Few's work", authors: [2] }),
    redirected("/works/OL9W", "/works/OL1W", 1),
    edition(1, { work: 1, title: "Hobbit lent", ocaid: "lentscan", languages: [{ key: "/languages/eng" }] }),
    edition(2, { work: 1, title: "Hobbit open", ocaid: "openscan", languages: [{ key: "/languages/eng" }] }),
    edition(3, { work: 4, title: "Emma", languages: [{ key: "/languages/fre" }] }),
    edition(4, { work: 5, title: "Few's book", languages: [{ key: "/languages/eng" }] }),
    redirected("/books/OL9M", "/books/OL1M", 1),
    { key: "/css/site.css", type: "/type/rawtext", content_type: "text/css", body: "a { color: red }" },
    { key: "/js/page", type: "/type/rawtext", content_type: "text/html", body: "<script>alert(1)</script>" },
    { key: "/js/bare", type: "/type/rawtext", body: { type: "/type/text", value: "1 < 2" } },
    { key: "/js/wiki", type: "/type/page", title: "No text", body: "x" },
  );
  await service.load({
    key: "/css/site.css",
    type: "/type/rawtext",
    content_type: "text/css",
    body: "a {}",
    revision: 2,
  });
  await addItem("openscan", ["americana"]);
  await addItem("lentscan", ["inlibrary"]);
  await indexAll();
  librarian = await loggedIn(service, "libby", { groups: ["librarians"] });
  chief = await loggedIn(service, "chief", { groups: ["super-librarians"] });
});

describe("GET /authors", () => {
  it("lists authors by number of works, and redirects to the search", async () => {
    const body = await text("/authors");
    expect(body).toContain('<form class="line" method="get" action="/search/authors"');
    const rows = [...body.matchAll(/<th scope="row"><a href="([^"]+)">([^<]*)<\/a><\/th><td[^>]*>(\d+)/g)];
    expect(rows.map(([, href, , count]) => [href, count])).toEqual([
      ["/authors/OL1A", "4"],
      ["/authors/OL3A", "2"],
      ["/authors/OL2A", "1"],
    ]);
    expect(body).toContain("Many &lt;i&gt;Works&lt;/i&gt;");
    expect(await leads("/authors?q=tolkien", HTML)).toEqual([303, "/search/authors?q=tolkien"]);
  });

  // Q434
  it("answers JSON clients like the search", async () => {
    const { numFound } = (await service.json("/authors?q=few")) as { numFound: number };
    expect(numFound).toBe(1);
    expect(await service.json("/authors?q=few")).toEqual(await service.json("/search/authors.json?q=few"));
  });
});

describe("GET /languages", () => {
  it("lists languages in three orders", async () => {
    const names = async (query: string) =>
      [...(await text(`/languages${query}`)).matchAll(/<a href="\/languages\/(\w+)">/g)].map(
        ([, code]) => code,
      );
    expect(await names("")).toEqual(["eng", "fre"]);
    expect(await names("?sort=name")).toEqual(["eng", "fre"]);
    expect(await text("/languages")).toContain(
      '<a href="/search?language=eng">2<span class="unseen"> English',
    );
    expect(await service.json("/languages")).toEqual(await service.json("/languages.json?limit=500"));
  });

  // Q432
  it("answers 400 for other orders", async () => {
    expect((await html("/languages?sort=age")).status).toBe(400);
    expect((await service.fetch("/languages?sort=age")).status).toBe(400);
  });
});

describe("GET /random", () => {
  // Q433
  it("redirects to a readable edition, uncacheable", async () => {
    const found = new Set<string | null>();
    for (let time = 0; time < 8; time += 1) {
      const response = await service.fetch("/random");
      expect(response.status).toBe(303);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      found.add(response.headers.get("Location"));
    }
    for (const key of found) expect(["/books/OL1M", "/books/OL2M"]).toContain(key);
  });

  it("reads the catalog in two waves", async () => {
    const waves = countedWaves();
    const cold = testService({ CATALOG: waves.of(env.CATALOG), PATRONS: waves.of(env.PATRONS) });
    await cold.fetch("/random");
    expect(waves.count).toBe(2);
  });
});

describe("GET /books/<id>/daisy", () => {
  it("redirects to the item of the scan, or answers 404", async () => {
    expect(await leads("/books/OL1M/daisy")).toEqual([303, `${env.ARCHIVE_PUBLIC_URL}/details/lentscan`]);
    expect(await leads("/books/OL1M/any/daisy")).toEqual([303, `${env.ARCHIVE_PUBLIC_URL}/details/lentscan`]);
    expect(await leads("/books/OL9M/daisy")).toEqual([303, `${env.ARCHIVE_PUBLIC_URL}/details/lentscan`]);
    expect(await leads("/books/OL4M/daisy")).toEqual([404, null]);
    expect(await text("/books/OL4M/daisy")).toContain("No DAISY edition of Few&#39;s book");
    expect(await leads("/books/OL77M/daisy")).toEqual([404, null]);
    expect(await leads("/books/nonsense/daisy")).toEqual([404, null]);
  });
});

describe("records of /type/rawtext", () => {
  // Q431
  it("are sent with a harmless content type", async () => {
    for (const headers of [{}, HTML, { Accept: "text/css,*/*;q=0.1" }]) {
      const response = await service.fetch("/css/site.css", { headers });
      expect(response.headers.get("Content-Type")).toBe("text/css; charset=utf-8");
      expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(response.headers.get("Content-Security-Policy")).toContain("sandbox");
      expect(await response.text()).toBe("a {}");
    }
    expect(await (await service.fetch("/css/site.css?v=1")).text()).toBe("a { color: red }");
    const page = await html("/js/page");
    expect(page.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(await (await html("/js/bare")).text()).toBe("1 < 2");
    expect((await html("/js/wiki")).headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(await service.json("/css/site.css.json")).toMatchObject({ type: { key: "/type/rawtext" } });
    const record = await service.fetch("/css/site.css", { headers: { Accept: "application/json" } });
    expect(await record.json()).toMatchObject({ body: "a {}" });
  });
});

describe("member addresses in browsers", () => {
  // Q435
  it("redirect to the page of the record", async () => {
    expect(await leads("/works/OL1W/editions", HTML)).toEqual([303, "/works/OL1W#editions"]);
    expect(await leads("/authors/OL1A/works", HTML)).toEqual([303, "/authors/OL1A#works"]);
    expect(await service.json("/works/OL1W/editions")).toMatchObject({ size: 2 });
    expect(await service.json("/authors/OL1A/works.json", { headers: HTML })).toMatchObject({ size: 4 });
  });
});

describe("/authors/OL1A/merge-works", () => {
  const path = "/authors/OL1A/merge-works";

  it("requires a librarian", async () => {
    expect(await leads(path)).toEqual([401, null]);
    const reader = await loggedIn(service, "reader");
    expect((await reader.fetch(path)).status).toBe(403);
    expect((await reader.fetch(path, { method: "POST" })).status).toBe(403);
    expect(await (await librarian.fetch("/authors/OL1A/Many_i_Works_i", { headers: HTML })).text()).toContain(
      path,
    );
    expect(await text("/authors/OL1A/Many_i_Works_i")).not.toContain(path);
  });

  it("groups works with similar titles", async () => {
    expect(await librarian.json(path)).toMatchObject({
      author: "/authors/OL1A",
      compared: 4,
      groups: [
        [{ key: "/works/OL1W" }, { key: "/works/OL2W", subtitle: "There & back" }, { key: "/works/OL3W" }],
      ],
    });
    const body = await (await librarian.fetch(path, { headers: HTML })).text();
    expect(body).toContain("There &amp; back, 1937, OL2W");
    expect(body).toContain("Request this merge");
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await librarian.fetch("/authors/OL77A/merge-works")).status).toBe(404);
  });

  it("skips very long titles", async () => {
    expect(await librarian.json("/authors/OL3A/merge-works")).toMatchObject({ compared: 2, groups: [] });
  });

  const send = (who: LoggedIn, fields: [string, string][]) =>
    who.fetch(path, {
      method: "POST",
      headers: { ...HTML, Origin: "http://carrel.test", "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields),
    });

  it("proposes merges of librarians, and merges for super-librarians", async () => {
    const proposed = await send(librarian, [
      ["master", "OL1W"],
      ["records", "OL3W"],
    ]);
    expect([proposed.status, proposed.headers.get("Location")]).toEqual([303, "/merges"]);
    const again = await send(librarian, [
      ["master", "OL1W"],
      ["records", "OL3W"],
    ]);
    expect(again.status).toBe(400);
    expect(await again.text()).toContain("already exists");
    const merged = await send(chief, [
      ["master", "OL1W"],
      ["records", "OL2W"],
      ["comment", "alike"],
    ]);
    expect([merged.status, merged.headers.get("Location")]).toEqual([303, "/works/OL1W"]);
    expect(await service.json("/works/OL2W.json")).toMatchObject({
      type: { key: "/type/redirect" },
      location: "/works/OL1W",
    });
    expect(await librarian.json(path)).toMatchObject({ compared: 3 });
  });

  it("refuses an empty selection and other records", async () => {
    for (const fields of [
      [],
      [["master", "OL1W"]],
      [
        ["master", "OL1W"],
        ["records", "OL1A"],
      ],
    ] as [string, string][][]) {
      const response = await send(chief, fields);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("Check the highlighted fields");
    }
  });
});
