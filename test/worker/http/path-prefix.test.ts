import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { concretePath } from "../../../src/worker/http/paths.ts";
import { ROUTES } from "../../../src/worker/routes.ts";
import { jsonOf } from "../../support/worker/accounts.ts";
import { connectAgent } from "../../support/worker/agents.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { putTerms } from "../../support/worker/lending.ts";
import { list } from "../../support/worker/lists.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, language, redirected, work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";

// A site below a path of its host (Q867): a proxy takes the path off the requests, and the service puts it on addresses.

const HOST = "https://host.test";
const SITE = `${HOST}/catalog`;
const site = testService({ BASE_URL: SITE });
const root = testService({ BASE_URL: HOST });
const HTML = { Accept: "text/html" };
const TRAP = 'Sea href="/trap" & <a href="/trap">';
let session: { readonly Cookie: string };

beforeAll(async () => {
  await site.load(
    language("spa", "Spanish"),
    author(1, { bio: "See [the work](/works/OL1W) and [a site](https://sea.example/works)." }),
    work(1, {
      title: TRAP,
      authors: [1],
      description: 'Text src="/trap", "/trap" and [another](//trap.example).',
      covers: [55],
      subjects: ["Sea"],
      subject_places: ["Wales"],
      series: [{ series: { key: "/series/OL9L" }, position: "1" }],
    }),
    edition(1, {
      work: 1,
      title: "Sea",
      publishers: ["Ola"],
      isbn_13: ["9780441013593"],
      ocaid: "sea00",
      languages: [{ key: "/languages/spa" }],
    }),
    redirected("/works/OL2W", "/works/OL1W", 1),
    list("/people/ann/lists/OL7L", [{ key: "/works/OL1W" }], { name: "Wet", description: "Books" }),
    list("/series/OL9L", [], { name: "Coasts" }),
  );
  const ann = await loggedIn(site, "ann", { groups: ["admin"] });
  session = ann.headers;
  await ann.fetch("/account/preferences.json", jsonOf({ public_readlog: "yes" }));
  const shelf = { method: "POST", body: new URLSearchParams({ bookshelf_id: "3" }) };
  await ann.fetch("/works/OL1W/bookshelves.json", shelf);
  await indexAll();
});

/** Values of placeholders; those of numbers are 1 or 7. */
const VALUES: Readonly<Record<string, string>> = {
  username: "ann",
  work_id: "1",
  edition_id: "1",
  author_id: "1",
  olid: "OL1M",
  ocaid: "sea00",
  "key:path": "authors/OL1A",
  "rest:path": "Wet",
  publisher_id: "Ola",
  code: "spa",
  period: "weekly",
  shelf: "already-read",
};

const filled = ROUTES.filter(({ method }) => method === "GET" || method === "ALL").map(({ path }) =>
  concretePath(path, "OL").replace(
    /\{((\w+)(?::[^{}]+)?)\}/g,
    (_all, full: string, name: string) => VALUES[full] ?? VALUES[name] ?? "7",
  ),
);
const QUERIES = [
  "/works/OL1W/Sea?m=history",
  "/works/OL1W?m=edit",
  "/works/OL1W?v=99",
  "/search?q=sea",
  "/search?q=sea&mode=everything&author_key=OL1A&sort=new",
  "/search/authors?q=author",
  "/search/subjects?q=sea",
  "/search/lists?q=wet",
  "/search/inside?q=sea",
  "/search.json?q=sea",
  "/search.atom?q=sea",
  "/subjects/sea.json?details=true",
  "/subjects/place:wales",
  "/series/OL9L/Coasts",
  "/people/ann/lists/OL7L/export?format=html",
  "/api/books?bibkeys=OLID:OL1M&format=json&jscmd=data",
  "/api/volumes/brief/isbn/9780441013593.json",
  "/isbn/9780441013593",
  "/barcodescanner?isbn=9780441013593",
  "/barcodescanner?isbn=9780441013593&returnTo=https://host.test/catalog/books/$$$",
  "/oai?verb=Identify",
  "/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:host.test:works/OL1W",
  "/sru?operation=explain",
  "/sru?version=1.2&operation=searchRetrieve&query=sea",
  "/reconcile",
  "/unapi?id=https://host.test/catalog/works/OL1W&format=mods",
  "/docs/search",
  "/docs?q=search",
  "/works//OL1W",
  "/works/OL1W/",
  "/nothing",
];
/** Routes whose answers differ from call to call, or end the session. */
const LEFT_OUT = /^\/account\/logout$|^\/system\/|^\/metrics|^\/(?:debug\/)?(?:memory|backdoor)|\/stream$/;
const addresses = [...new Set([...filled, ...QUERIES])].filter((path) => !LEFT_OUT.test(path));

/** Attributes with paths of records or return addresses: forms send them, and the service puts the path before them. */
const SITE_PATHS = /^(?:value|data-without|content|title|alt|placeholder|aria-label|lang|d)$/;

/** Lists the addresses of a page that lack the path of the site, or have it twice. */
function wrongAddresses(html: string): string[] {
  const attributes = [...html.matchAll(/\s([\w-]+)="([^"]*)"/g)];
  const local = attributes.filter(([, name = ""]) => !SITE_PATHS.test(name));
  return local.flatMap(([all, , value = ""]) =>
    value.split(/,?\s+/).some((part) => /^\/(?!catalog\/|\/)/.test(part)) ? all : [],
  );
}

/** Returns a text as a site at the root of the host writes it. */
function atRoot(text: string): string {
  return text
    .replaceAll(SITE, HOST)
    .replaceAll("/catalog/", "/")
    .replaceAll("Path=/catalog;", "Path=/;")
    .replaceAll(">catalog/sru<", ">sru<");
}

async function send(service: TestService, path: string, init: Record<string, string>) {
  const response = await service.fetch(HOST + path, { headers: init });
  const type = response.headers.get("Content-Type") ?? "";
  const isText = /text|json|xml|javascript/.test(type);
  if (!isText) await response.body?.cancel();
  const headers = [...response.headers].filter(([name]) => !/^(?:etag|x-request-id)$/.test(name));
  return {
    status: response.status,
    headers: headers.map(([name, value]) => `${name}: ${value}`).join("\n"),
    isPage: type.startsWith("text/html"),
    body: isText ? await response.text() : "",
  };
}

describe.each([
  ["a visitor's browser", () => HTML, 130],
  ["an administrator's browser", () => ({ ...HTML, ...session }), 190],
  ["a program of an administrator", () => session, 20],
])("a site below a path, for %s", (_who, headersOf, pagesMin) => {
  it("has the path in all addresses of pages and headers, once, and differs in nothing else", async () => {
    const problems: string[] = [];
    let pages = 0;
    for (const path of addresses) {
      // First, so that what both services remember has the path.
      const sent = await send(site, path, headersOf());
      const plain = await send(root, path.replace(SITE, HOST), headersOf());
      const note = (text: string) => problems.push(`${path} (${sent.status}): ${text}`);
      if (sent.status !== plain.status) note(`${plain.status} at the root`);
      if (atRoot(sent.body) !== atRoot(plain.body)) note("another body");
      if (atRoot(sent.headers) !== atRoot(plain.headers)) note(`other headers: ${sent.headers}`);
      const whole = `${sent.headers}\n${sent.body}`;
      if (/\/catalog\/+catalog/.test(whole)) note("has the path twice");
      const bare =
        /https:\/\/host\.test(?!\/catalog\b|;)[^\s"<]*|^[\w-]+: <?\/(?!catalog\/).*|(?:href|src|action)=\\"\/(?!catalog|trap).*/m;
      const [address] = bare.exec(whole) ?? [];
      if (address !== undefined) note(address);
      if (!sent.isPage) continue;
      pages += 1;
      for (const wrong of wrongAddresses(sent.body)) note(wrong);
    }
    expect(problems).toEqual([]);
    expect(pages).toBeGreaterThan(pagesMin);
  });
});

const post = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
  headers: { ...HTML, ...session, Origin: HOST, ...headers },
});
const SHELF = { bookshelf_id: "1" };

describe("redirects of a site below a path", () => {
  it.each<[path: string, init: () => RequestInit, location: string | null]>([
    ["/account", () => ({ headers: HTML }), "/catalog/account/login?redirect=%2Faccount"],
    ["/account/language", () => post({ language: "fr", redir_url: "/works/OL1W" }), "/catalog/works/OL1W"],
    ["/account/language", () => post({ language: "fr", redir_url: "//evil.test" }), "/catalog/account/books"],
    ["/works/OL1W/bookshelves", () => post(SHELF, { Referer: `${SITE}/search?q=a` }), "/catalog/search?q=a"],
    ["/works/OL1W/bookshelves", () => post(SHELF, { Referer: SITE }), "/catalog/"],
    ["/works/OL1W/bookshelves", () => post(SHELF, { Referer: `${HOST}/other` }), "/catalog/account/books"],
    ["/works/OL1W/bookshelves", () => post(SHELF, { Referer: `${SITE}ue/x` }), "/catalog/account/books"],
    [
      `/barcodescanner?isbn=9780441013593&returnTo=${SITE}/books/$$$`,
      () => ({}),
      "/catalog/books/9780441013593",
    ],
    ["/barcodescanner?isbn=9780441013593&returnTo=/books/$$$", () => ({}), "/catalog/books/9780441013593"],
    [`/barcodescanner?isbn=9780441013593&returnTo=${HOST}/books/$$$`, () => ({}), null],
    ["/books/OL1M/x/borrow", () => post({ action: "return", redirect: `${SITE}/lists` }), "/catalog/lists"],
    [
      "/books/OL1M/x/borrow",
      () => post({ action: "return", redirect: `${HOST}/lists` }),
      "/catalog/books/OL1M/Sea",
    ],
  ])("lead from %s to its addresses (%#)", async (path, init, location) => {
    const response = await site.fetch(HOST + path, init());
    expect(response.headers.get("Location")).toBe(location);
  });

  it("lead to HTTPS below the path", async () => {
    const production = testService({ BASE_URL: SITE, ENVIRONMENT: "production" });
    const response = await production.fetch("http://host.test/works/OL1W?m=history");
    expect(response.headers.get("Location")).toBe(`${SITE}/works/OL1W?m=history`);
  });

  it("are followed inside of the service", async () => {
    expect((await site.fetch("/works/OL2W.ris")).headers.get("Location")).toBe("/catalog/works/OL1W.ris");
    const agent = await connectAgent(site);
    const { citation } = await agent.read("cite", { key: "/works/OL2W", style: "ris" });
    expect(citation).toContain(`UR  - ${SITE}/works/OL1W`);
  });
});

describe("a site below a path", () => {
  it("keeps its cookies to the path", async () => {
    const chosen = await site.fetch(`${HOST}/account/language`, post({ language: "fr", redir_url: "/" }));
    const cookies = chosen.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/catalog;/);
    expect(cookies.filter((cookie) => cookie.startsWith("__Host-"))).toEqual([]);
  });

  it("gives the cookie of a loan a prefix that browsers accept below a path", async () => {
    await env.ARCHIVE.put("items/sea00/book.pdf", "the book");
    await putTerms("sea00", {});
    const borrowed = await site.fetch(`${HOST}/books/OL1M/x/borrow`, { headers: session });
    const link = new URL(borrowed.headers.get("Location") ?? "");
    expect(link.href).toMatch(/^https:\/\/host\.test\/catalog\//);
    const entered = await site.fetch(link.href.replace(SITE, HOST));
    expect(entered.headers.get("Location")).toBe("/catalog/stream/sea00");
    expect(entered.headers.get("Set-Cookie")).toMatch(/^__Secure-loan-sea00=.*; Path=\/catalog;.*; Secure$/);
  });

  it("names its metadata to agents, below the path (Q868)", async () => {
    const params = { name: "my_lists", arguments: {} };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const accepted = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };
    const refused = await site.fetch(`${HOST}/mcp`, { method: "POST", body, headers: accepted });
    const metadata = `${SITE}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.headers.get("WWW-Authenticate")).toContain(`resource_metadata="${metadata}"`);
    expect(await site.json(metadata.replace(SITE, HOST))).toMatchObject({
      resource: `${SITE}/mcp`,
      authorization_servers: [SITE],
    });
    expect(await site.json(`${HOST}/.well-known/oauth-authorization-server`)).toMatchObject({
      issuer: SITE,
      token_endpoint: `${SITE}/oauth2/token`,
    });
  });

  it("sends a page from the cache as it was written", async () => {
    const texts = new Set<string>();
    for (let turn = 0; turn < 3; turn += 1) {
      texts.add(await (await site.fetch(`${HOST}/subjects/sea`, { headers: HTML })).text());
    }
    expect(texts.size).toBe(1);
  });

  it("names the path to crawlers and installers", async () => {
    const rules = await (await site.fetch(`${HOST}/robots.txt`)).text();
    expect(rules).toContain(`Disallow: /catalog/api\n`);
    expect(rules).toContain(`\nSitemap: ${SITE}/sitemap.xml\n`);
    expect(rules).not.toMatch(/: \/(?!catalog)/);
    expect(await site.json("/site/manifest.json")).toMatchObject({
      start_url: "/catalog/",
      icons: [{ src: "/catalog/static/icon.svg" }],
    });
  });
});
