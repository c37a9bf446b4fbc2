import { beforeAll, describe, expect, it } from "vitest";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { author, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

// Pages depend on their reader, and are cached for readers who would get the same.

const HTML = { Accept: "text/html" };
const service = testService();
const PAGE = "/works/OL1W/A_title";

beforeAll(() => service.load(author(1), work(1, { title: "A title", authors: [1] })));

const shown = async (path: string, headers: Record<string, string>): Promise<string> =>
  (await service.fetch(path, { headers: { ...HTML, ...headers } })).text();

describe("the language of a page", () => {
  it("is the browser's or the chosen one, never another reader's", async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await shown(PAGE, {})).toContain('<html lang="en"');
      expect(await shown(PAGE, { "Accept-Language": "de" })).toContain('<html lang="de"');
      expect(await shown(PAGE, { "Accept-Language": "de", Cookie: "HTTP_LANG=ar" })).toContain(
        '<html lang="ar" dir="rtl"',
      );
      expect(await shown(`${PAGE}?lang=fr`, {})).toContain('<html lang="fr"');
    }
  });

  it("varies the response, with an ETag of its own", async () => {
    const answers = [
      await service.fetch(PAGE, { headers: HTML }),
      await service.fetch(PAGE, { headers: { ...HTML, "Accept-Language": "es" } }),
    ];
    for (const { headers } of answers) expect(headers.get("Vary")).toBe("Accept, Accept-Language, Cookie");
    expect(new Set(answers.map(({ headers }) => headers.get("ETag"))).size).toBe(2);
  });

  it("is chosen by a form, which redirects back with a message", async () => {
    const body = new URLSearchParams({ language: "fr", redir_url: PAGE });
    const chosen = await service.fetch("/account/language", {
      method: "POST",
      headers: { ...HTML, Origin: "http://carrel.test" },
      body,
      redirect: "manual",
    });
    expect(chosen.status).toBe(303);
    expect(chosen.headers.get("Location")).toBe(PAGE);
    const cookies = chosen.headers.getSetCookie();
    expect(cookies[0]).toBe("HTTP_LANG=fr; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax");
    const Cookie = cookies.map((cookie) => cookie.split(";")[0]).join("; ");
    const next = await service.fetch(PAGE, { headers: { ...HTML, Cookie } });
    expect(await next.text()).toContain("Langue modifiée");
    expect(next.headers.get("Cache-Control")).toBe("private, no-store");
    expect(next.headers.getSetCookie()).toEqual([expect.stringContaining("flash=; Path=/; Max-Age=0")]);
    expect(await shown(PAGE, { Cookie: "HTTP_LANG=fr" })).not.toContain("désormais");
  });

  it("must be a known one", async () => {
    const wrong = { method: "POST", body: new URLSearchParams({ language: "xx" }) };
    expect((await service.fetch("/account/language", wrong)).status).toBe(422);
    const right = { method: "POST", body: new URLSearchParams({ language: "ar" }) };
    expect(await service.json("/account/language", right)).toEqual({ language: "ar" });
  });
});

describe("pages for a signed-in user", () => {
  it("show the username, which others do not get", async () => {
    const ann = await loggedIn(service, "Ann");
    for (const path of [PAGE, "/", "/search?q=title", "/nothing"]) {
      const own = await ann.fetch(path, { headers: HTML });
      expect(own.headers.get("Cache-Control")).toContain("private, no-store");
      expect(await own.text()).toContain('<b dir="auto">Ann</b>');
      expect(await shown(path, {})).not.toContain("Ann</b>");
    }
  });
});

describe("the stylesheet", () => {
  it("has a content hash in its path, and is immutable", async () => {
    const [, address = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(await shown(PAGE, {})) ?? [];
    expect(address).toMatch(/^\/static\/build\/carrel\.[\da-f]{10}\.css$/);
    const style = await service.fetch(address);
    expect(style.headers.get("Content-Type")).toContain("text/css");
    expect(style.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(await style.text()).toContain("@layer");
    // Cached pages may name the stylesheet of another release.
    const old = await service.fetch("/static/build/carrel.0123456789.css");
    expect([old.status, old.headers.get("Cache-Control")]).toEqual([200, "public, max-age=60"]);
    expect((await service.fetch("/static/build/other.0123456789.css")).status).toBe(404);
  });
});

describe("img-src of a page", () => {
  const policy = async (settings: Record<string, string>) => {
    const answer = await testService(settings).fetch("/account/login", { headers: HTML });
    return /img-src [^;]*/.exec(answer.headers.get("Content-Security-Policy") ?? "")?.[0];
  };

  it("allows the service and the hosts of covers", async () => {
    expect(await policy({})).toBe("img-src 'self'");
    const COVERS_PUBLIC_URL = "https://covers.example/a";
    expect(await policy({ COVERS_PUBLIC_URL })).toBe("img-src 'self' https://covers.example");
    expect(await policy({ COVER_FALLBACK_BASE: "https://other.example/b" })).toBe(
      "img-src 'self' https://other.example https://archive.org https://*.archive.org",
    );
  });
});

describe("a page for a program", () => {
  const isSignedIn = async (client: { fetch: typeof service.fetch }, path: string, accept: string) => {
    const response = await client.fetch(path, { headers: { Accept: accept } });
    return [response.headers.get("Cache-Control"), (await response.text()).includes('href="/people/ann"')];
  };

  it.each(["*/*", "application/json"])("knows its session for Accept: %s", async (accept) => {
    const ann = await loggedIn(service, "ann");
    for (const path of ["/account", "/account/books"]) {
      const location = (await ann.fetch(path, { headers: { Accept: accept } })).headers.get("Location");
      expect(await isSignedIn(ann, location ?? path, accept)).toEqual(["private, no-store", true]);
    }
  });

  it("is anonymous if a cache stores it", async () => {
    const ann = await loggedIn(service, "ann");
    expect(await isSignedIn(ann, PAGE, "*/*")).toEqual([expect.stringContaining("public"), false]);
  });
});
