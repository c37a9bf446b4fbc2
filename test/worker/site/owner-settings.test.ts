import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { png, webp } from "../../support/covers/images.ts";
import { formOf, jsonOf } from "../../support/worker/accounts.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedWaves } from "../../support/worker/statements.ts";

const service = testService();
const HTML = { headers: { Accept: "text/html" } };
let boss: LoggedIn;
let reader: LoggedIn;

beforeAll(async () => {
  await service.load(
    author(1, { name: "Ann Author" }),
    work(1, { title: "One", authors: [1], subjects: ["Deep sea"] }),
    work(2, { title: "Two" }),
    {
      key: "/people/site_boss/lists/OL1L",
      type: "/type/list",
      name: "New here",
      seeds: [{ key: "/works/OL2W" }],
    },
  );
  await indexAll();
  boss = await loggedIn(service, "site_boss", { groups: ["admin"] });
  reader = await loggedIn(service, "site_reader");
});
beforeEach(async () => {
  await env.PATRONS.exec("DELETE FROM store_document WHERE key = 'site'");
  service.now += 120_000;
});

/** Sends settings as JSON. Returns the status and the answer. */
async function save(settings: object, who = boss): Promise<[number, unknown]> {
  const response = await who.fetch("/admin/site", jsonOf(settings));
  return [response.status, await response.json()];
}

function uploadOf(bytes: Uint8Array): RequestInit {
  const body = new FormData();
  body.set("file", new File([Uint8Array.from(bytes)], "logo"));
  return { method: "POST", body };
}

async function pageOf(path: string, language = "en", site = service): Promise<string> {
  return (await site.fetch(path, { headers: { Accept: "text/html", "Accept-Language": language } })).text();
}

const OWN = {
  name: "Stadtbibliothek <Ulm>",
  sentence: "Der Katalog der Stadt",
  language: "de",
  languages: ["fr"],
  color: "#8A1538",
  contact: "info@ulm.example",
  imprint: "**Stadt** Ulm",
  privacy: "https://ulm.example/privacy",
};

describe("GET /admin/site", () => {
  it("returns the settings of the software until they are changed", async () => {
    expect(await boss.json("/admin/site.json")).toEqual({
      name: "Carrel",
      sentence: "",
      logo: null,
      color: "",
      color_dark: "",
      language: "en",
      languages: ["en", "de", "fr", "es", "ar"],
      contact: "",
      imprint: "",
      privacy: "",
      terms: "",
      shelves: ["trending", "editions", "subjects", "new"],
      rev: 0,
    });
  });

  it("is for administrators", async () => {
    expect((await reader.fetch("/admin/site.json")).status).toBe(403);
    expect((await save({ name: "Mine" }, reader))[0]).toBe(403);
    expect((await reader.fetch("/admin/site/logo", uploadOf(png(64, 64)))).status).toBe(403);
  });

  it("takes the name from SITE_NAME", async () => {
    const named = testService({ SITE_NAME: "Our books" });
    expect(await named.json("/")).toMatchObject({ name: "Our books" });
  });
});

describe("POST /admin/site", () => {
  it("changes what is sent, and writes it to the audit log", async () => {
    const [status, saved] = await save(OWN);
    const stored = { ...OWN, color: "#8a1538", languages: ["de", "fr"] };
    expect([status, saved]).toMatchObject([
      200,
      { ok: "true", ...stored, terms: "", rev: expect.any(Number) },
    ]);
    await save({ terms: "Be kind.\r\n" });
    expect(await boss.json("/admin/site.json")).toMatchObject({ ...stored, terms: "Be kind." });
    const audit = await boss.json("/admin/audit.json?subject=site&limit=1");
    expect(audit).toMatchObject({
      events: [{ event: "setting-changed", actor: "/people/site_boss", details: { changed: "terms" } }],
    });
  });

  it.each([
    [{ name: " " }, "Enter a name of at most 60 characters."],
    [{ name: "x".repeat(61) }, "Enter a name of at most 60 characters."],
    [{ sentence: "x".repeat(201) }, "Use at most 200 characters."],
    [{ imprint: "x".repeat(20_001) }, "Use at most 20000 characters."],
    [{ color: "green" }, "Not a color: green. Enter # and six hexadecimal digits, such as #175a45."],
    [
      { color: "#ffcc00" },
      "Text in #ffcc00 is hard to read: its contrast is 1.1, and at least 4.5 is needed. The nearest color that works is #7b6200.",
    ],
    [
      { color_dark: "#175a45" },
      "Text in #175a45 is hard to read: its contrast is 1.4, and at least 4.5 is needed. The nearest color that works is #81a59a.",
    ],
    [{ contact: "call us" }, "Enter an email address or a URL that starts with https://."],
    [{ contact: "javascript:alert(1)" }, "Enter an email address or a URL that starts with https://."],
    [
      { shelves: ["new", "best"] },
      "Not a shelf: best. Use trending, subjects, editions, new, readable, a subject or a list.",
    ],
    [{ shelves: "a b c d e f g".split(" ") }, "Too many entries: 6 at most."],
  ])("refuses %j", async (settings, message) => {
    expect(await save(settings)).toMatchObject([400, { error: "bad_data", message }]);
    expect(await boss.json("/admin/site.json")).toMatchObject({ rev: 0 });
  });

  it("takes the nearest colour that it names", async () => {
    const [, { nearest }] = (await save({ color: "#ffcc00" })) as [number, { nearest: string }];
    expect(await save({ color: nearest })).toMatchObject([200, { color: "#7b6200" }]);
  });

  it.each([{ language: "xx" }, { languages: ["en", "xx"] }, { logo: "mine.png" }, { rev: "x" }])(
    "refuses %j as invalid",
    async (settings) => expect((await save(settings))[0]).toBe(422),
  );

  it("tells administrators who save at the same time", async () => {
    const [, { rev }] = (await save({ name: "First" })) as [number, { rev: number }];
    expect(await save({ name: "Second", rev })).toMatchObject([200, { name: "Second" }]);
    expect((await save({ name: "Third", rev }))[0]).toBe(409);
    const both = await Promise.all([save({ sentence: "One" }), save({ contact: "a@b.example" })]);
    const { sentence, contact } = (await boss.json("/admin/site.json")) as typeof OWN;
    const kept = [sentence === "One", contact === "a@b.example"];
    expect(kept).toEqual(both.map(([status]) => status === 200));
  });

  it("shows the form again with what was typed", async () => {
    const response = await boss.fetch("/admin/site", {
      ...formOf({ name: "Typed", color: "#ffcc00" }),
      headers: { Accept: "text/html", "Content-Type": "application/x-www-form-urlencoded" },
    });
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(html).toContain('value="Typed"');
    expect(html).toMatch(/<input type="text" value="#ffcc00" id="color"[^>]* aria-invalid="true"/);
    expect(html).toContain("The nearest color that works is <bdi>#7b6200</bdi>.");
  });
});

describe("the logo", () => {
  it("replaces the mark, the icon and those of the manifest, until it is removed", async () => {
    const uploaded = await boss.json("/admin/site/logo", uploadOf(png(64, 32)));
    const { logo } = uploaded as { logo: { file: string } };
    expect(logo).toEqual({ file: expect.stringMatching(/^[\da-f]{16}\.png$/), width: 64, height: 32 });
    const address = `/site/logo/${logo.file}`;
    const file = await service.fetch(address);
    expect([file.status, file.headers.get("Content-Type"), file.headers.get("Cache-Control")]).toEqual([
      200,
      "image/png",
      "public, max-age=31536000, immutable",
    ]);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(png(64, 32));
    const html = await pageOf("/help");
    expect(html).toContain(`<link rel="icon" href="${address}">`);
    expect(html).toContain(`<img src="${address}" alt="" width="64" height="32">Carrel</a>`);
    expect(await service.json("/site/manifest.json")).toMatchObject({
      icons: [{ src: address, sizes: "64x32", type: "image/png" }],
    });
    expect(await save({ logo: "" })).toMatchObject([200, { logo: null }]);
    service.now += 6000;
    expect(await pageOf("/help")).toContain("/static/icon.svg");
  });

  it.each([
    [
      "an SVG file",
      new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      "Not a PNG, WebP or JPEG file",
    ],
    ["nothing", new Uint8Array(), "Not a PNG, WebP or JPEG file"],
    ["a wide image", png(2001, 64), "The logo has 2001 × 64 pixels. Each side needs 16 to 2000."],
    ["a low image", png(64, 8), "The logo has 64 × 8 pixels. Each side needs 16 to 2000."],
    ["a large file", new Uint8Array(204_801), "The image has more than 204800 bytes"],
  ])("refuses %s", async (_what, bytes, detail) => {
    const response = await boss.fetch("/admin/site/logo", uploadOf(bytes));
    expect([response.status, await response.json()]).toEqual([400, { detail }]);
    const body = uploadOf(bytes);
    const html = await (await boss.fetch("/admin/site/logo", { ...body, ...HTML })).text();
    expect(html).toContain('<p class="error" id="file-error">');
  });

  it("may be WebP", async () => {
    const answer = await boss.json("/admin/site/logo", uploadOf(webp.lossy(48, 48)));
    expect(answer).toMatchObject({ logo: { file: expect.stringMatching(/\.webp$/) } });
  });

  it.each(["/site/logo/0000000000000000.png", "/site/logo/0000000000000000.svg", "/site/logo/..%2F1.png"])(
    "is a 4xx at %s",
    async (path) => expect((await service.fetch(path)).status).toBeOneOf([404, 422]),
  );
});

describe("the settings", () => {
  beforeEach(async () => {
    expect((await save(OWN))[0]).toBe(200);
    service.now += 6000;
  });

  it.each([
    ["/", "Der Katalog der Stadt – Stadtbibliothek &lt;Ulm&gt;</title>"],
    ["/help", "Stadtbibliothek &lt;Ulm&gt;</a>"],
    ["/help", '<link rel="stylesheet" href="/site/colors/8a1538/'],
    ["/help", 'title="Stadtbibliothek &lt;Ulm&gt;">'],
    ["/help", '<a href="mailto:info@ulm.example">'],
    ["/help", '<a href="/site/imprint">'],
    ["/help", '<a href="https://ulm.example/privacy">'],
    ["/about", "<h2>Stadtbibliothek &lt;Ulm&gt;</h2>"],
    ["/works/OL1W/One", '<meta property="og:site_name" content="Stadtbibliothek &lt;Ulm&gt;">'],
    ["/subjects/deep_sea", '<meta property="og:site_name" content="Stadtbibliothek &lt;Ulm&gt;">'],
    ["/docs", "Stadtbibliothek &lt;Ulm&gt;</title>"],
    ["/site/imprint", "<strong>Stadt</strong> Ulm"],
  ])("are seen on %s: %s", async (path, expected) => {
    expect(await pageOf(path)).toContain(expected);
  });

  it.each([
    ["/opds", "<title>Stadtbibliothek &lt;Ulm&gt;</title>"],
    ["/opds/search.xml", "<ShortName>Stadtbibliothek &lt;Ulm&gt;</ShortName>"],
    ["/opds/authentication.json", '"title":"Stadtbibliothek <Ulm>"'],
    ["/opensearch.xml", "<ShortName>Stadtbibliothek &lt;Ulm&gt;</ShortName>"],
    ["/search.atom?q=one", "<title>Stadtbibliothek &lt;Ulm&gt;: one</title>"],
    ["/recentchanges/feed.atom", "<name>Stadtbibliothek &lt;Ulm&gt;</name>"],
    ["/oai?verb=Identify", "<repositoryName>Stadtbibliothek &lt;Ulm&gt;</repositoryName>"],
    ["/sru?operation=explain", ">Stadtbibliothek &lt;Ulm&gt;</title>"],
    ["/reconcile", '"name":"Stadtbibliothek <Ulm>"'],
    ["/openapi.json", '"title":"Stadtbibliothek <Ulm>"'],
    ["/openapi.json?audience=public", '"title":"Stadtbibliothek <Ulm>"'],
    ["/site/manifest.json", '"name":"Stadtbibliothek <Ulm>"'],
    ["/site/manifest.json", '"theme_color":"#8a1538"'],
    ["/site/imprint.json", '{"name":"Stadtbibliothek <Ulm>","language":"de","text":"**Stadt** Ulm"}'],
    ["/", '{"name":"Stadtbibliothek <Ulm>"'],
  ])("are seen by programs at %s: %s", async (path, expected) => {
    const response = await service.fetch(path);
    expect(await response.text()).toContain(expected);
    const [, seconds = "0"] = /max-age=(\d+)/.exec(response.headers.get("Cache-Control") ?? "") ?? [];
    expect(Number(seconds)).toBeLessThan(61);
  });

  it("are seen in emails", async () => {
    await service.fetch("/account/password/forgot", formOf({ email: "site_reader@example.com" }));
    const { mails } = (await service.json("/development/outbox.json?to=site_reader@example.com")) as {
      mails: { subject: string }[];
    };
    expect(mails[0]?.subject).toBe("Neues Passwort bei Stadtbibliothek <Ulm>");
  });

  it("are seen by other isolates within a minute", async () => {
    const other = testService();
    other.now = service.now;
    expect(await pageOf("/help", "en", other)).toContain("Ulm");
    await save({ name: "Neu" });
    other.now += 26_000;
    expect(await pageOf("/help", "en", other)).toContain("Neu</a>");
  });

  it("have their colours in a style sheet", async () => {
    const [, address = ""] = /href="(\/site\/colors\/[^"]+)"/.exec(await pageOf("/help")) ?? [];
    const style = await service.fetch(address);
    expect([style.status, style.headers.get("Content-Type")]).toEqual([200, "text/css; charset=utf-8"]);
    expect(await style.text()).toMatch(/^:root\{--lamp:light-dark\(#8a1538,#[\da-f]{6}\);--mark:#8a1538\}$/m);
    for (const path of ["/site/colors/8a1538/zzzzzz.css", "/site/colors/8a1538/fff;}a{.css"])
      expect((await service.fetch(path)).status).toBe(422);
  });

  it.each([
    ["de", "de"],
    ["fr", "fr"],
    ["en", "de"],
    ["es, fr", "de"],
    ["ja", "de"],
  ])("offer readers of %s pages in %s", async (accepted, language) => {
    const html = await pageOf("/help", accepted);
    expect(html).toContain(`<html lang="${language}"`);
    expect([...html.matchAll(/<option value="(\w+)"/g)].map(([, code]) => code)).toEqual(["de", "fr"]);
  });

  it("mark texts in another language than the page", async () => {
    expect(await pageOf("/", "fr")).toContain(
      '<h1><span lang="de" dir="auto">Der Katalog der Stadt</span></h1>',
    );
    expect(await pageOf("/", "de")).toContain("<h1>Der Katalog der Stadt</h1>");
    expect(await pageOf("/site/imprint", "fr")).toContain('<div class="text" lang="de">');
  });

  it.each(["/site/privacy", "/site/terms", "/site/terms.json"])("have no page at %s", async (path) => {
    expect((await service.fetch(path)).status).toBe(404);
  });
});

describe("shelves of the first page", () => {
  it("have the chosen content, in order", async () => {
    const shelves = ["/people/site_boss/lists/OL1L", "/subjects/deep_sea", "new", "/people/no/lists/OL9L"];
    expect((await save({ shelves }))[0]).toBe(200);
    service.now += 6000;
    const html = await pageOf("/");
    const headings = [...html.matchAll(/<h2><a href="([^"]+)">(.*?)<\/a><\/h2>/g)].map(
      ([, ...parts]) => parts,
    );
    expect(headings).toEqual([
      ["/people/site_boss/lists/OL1L", "<bdi>New here</bdi>"],
      ["/subjects/deep_sea", "<bdi>Deep sea</bdi>"],
      ["/recentchanges/add-book", "Recently added"],
    ]);
    const titles = [...html.matchAll(/<cite[^>]*>([^<]*)/g)].map(([, title]) => title);
    expect(titles).toEqual(["Two", "One", "Two", "One"]);
  });

  it("take two waves of queries", async () => {
    await save({ shelves: ["trending", "/people/site_boss/lists/OL1L", "/subjects/deep_sea", "new"] });
    const { keys } = await env.CACHE.list({ prefix: "shelf:" });
    await Promise.all(keys.map(({ name }) => env.CACHE.delete(name)));
    const waves = countedWaves();
    const cold = testService({
      SEARCH: waves.of(env.SEARCH),
      PATRONS: waves.of(env.PATRONS),
      CATALOG: waves.of(env.CATALOG),
    });
    await cold.fetch("/", HTML);
    expect(waves.count).toBe(2);
  });
});
