import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { putTerms } from "../../support/worker/lending.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();
// Alarms go by the real clock.
service.now = Date.now();
const BOOK = "/books/OL1M";
const PAGE = `${BOOK}/Foo%3A_a_bar`;
const BOOK_PAGE = "/books/OL1M/Foo_a_bar_(2nd_ed.)";
const STREAM = `${ORIGIN}/stream/foo00bar?ref=ol`;
let ann: LoggedIn;
let ben: LoggedIn;
let cy: LoggedIn;

beforeAll(async () => {
  const subjects = ["In library"];
  const edition = (n: number, more: object) => ({
    key: `/books/OL${n}M`,
    type: "/type/edition",
    title: `Book ${n}`,
    works: [{ key: "/works/OL1W" }],
    ...more,
  });
  await service.load(
    { key: "/works/OL1W", type: "/type/work", title: "Foo", subjects },
    edition(1, { title: "Foo: a bar? (2nd ed.)", ocaid: "foo00bar", oclc_numbers: ["ocm00012345"] }),
    edition(2, { isbn_10: ["0140328726"] }),
    edition(3, { ocaid: "open00book" }),
    edition(4, { ocaid: "gut00enberg", identifiers: { project_gutenberg: ["77"] } }),
    edition(5, { ocaid: "foo00bar" }),
    edition(6, { providers: [{ url: "https://books.test/a b%zz;x", access: "open-access" }] }),
    edition(7, { ocaid: "moved00book", works: [{ key: "/works/OL2W" }] }),
    { key: "/works/OL2W", type: "/type/redirect", location: "/works/OL3W" },
    { key: "/works/OL3W", type: "/type/redirect", location: "/works/OL1W" },
  );
  await putTerms("open00book", { collections: ["texts"] });
  [ann, ben, cy] = [
    await loggedIn(service, "Ann"),
    await loggedIn(service, "ben"),
    await loggedIn(service, "cy"),
  ];
});

const location = (response: Response): string => response.headers.get("Location") ?? "";
const act = (who: LoggedIn, action: string, book = BOOK): Promise<Response> =>
  who.fetch(`${book}/x/borrow`, { method: "POST", body: new URLSearchParams({ action }) });
const asJson = (who: LoggedIn, action: string, book = BOOK): Promise<Response> =>
  who.fetch(`${book}/x/borrow?action=${action}`, {
    method: "POST",
    headers: { Accept: "application/json" },
  });

function flashOf(response: Response): unknown {
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith("flash="));
  return cookie === undefined
    ? undefined
    : JSON.parse(decodeURIComponent(cookie.slice(6).split(";")[0] ?? ""));
}

describe("/books/OL1M/x/borrow", () => {
  it("lends one copy to three patrons in turn", async () => {
    const borrowed = await act(ann, "borrow");
    expect(borrowed.status).toBe(303);
    expect(borrowed.headers.get("Cache-Control")).toBe("private, no-store");
    const auth = new URL(location(borrowed));
    expect(auth.origin + auth.pathname).toBe(`${ORIGIN}/bookreader/BookReaderAuth.php`);
    expect(Object.fromEntries(auth.searchParams)).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
      token: expect.stringMatching(/^\d{10}-[0-9a-f]{64}$/),
      id: "foo00bar",
      bookPath: "/stream/foo00bar",
      iaUserId: "@Ann",
      iaAuthToken: expect.stringMatching(/^\d{10}-[0-9a-f]{64}$/),
    });
    const reader = expect.stringContaining("BookReaderAuth.php");
    const first = { words: "lending.place", values: { place: 1, of: 1 } };
    const steps: [who: LoggedIn, action: string, leadsTo: unknown, message?: object][] = [
      [ben, "borrow", STREAM],
      [
        ben,
        "join-waitinglist",
        BOOK_PAGE,
        { type: "success", message: "You’re number 1 of 1 in line.", ...first },
      ],
      [ann, "return", BOOK_PAGE, expect.objectContaining({ type: "success" })],
      [cy, "borrow", STREAM],
      [ben, "borrow", reader],
      [ann, "return", BOOK_PAGE, expect.objectContaining({ type: "error", words: "conflict.not_held" })],
      [cy, "read", STREAM],
    ];
    for (const [who, action, leadsTo, message] of steps) {
      const response = await act(who, action);
      expect([response.status, location(response)], `${who.username} ${action}`).toEqual([303, leadsTo]);
      if (message !== undefined) expect(flashOf(response)).toEqual([message]);
    }
    // Q268: the other edition of the same scan opens the loan as well.
    expect(location(await act(ben, "read", "/books/OL5M"))).toEqual(reader);
    await act(ben, "return");
  });

  it("answers JSON clients with the same outcomes", async () => {
    const loan = { _key: "loan-foo00bar", user: "/people/Ann", book: BOOK, kind: "borrow", fulfilled: 1 };
    const reader = expect.stringContaining("BookReaderAuth.php");
    const waiting = { identifier: "foo00bar", status: "waiting", position: 1, wl_size: 1 };
    const steps: [who: LoggedIn, action: string, status: number, body?: object][] = [
      [ann, "borrow", 200, { status: "ok", action: "borrow", location: reader, loan }],
      [ben, "borrow", 409, { error: "not_available" }],
      [ben, "join-waitinglist", 200, { loan: null, waiting }],
      [ben, "leave-waitinglist", 200, { status: "ok" }],
      [ben, "leave-waitinglist", 409],
      [ann, "return", 200, { status: "ok", loan: null }],
    ];
    for (const [who, action, status, body = {}] of steps) {
      const response = await asJson(who, action);
      expect([response.status, await response.json()]).toMatchObject([status, body]);
    }
    const anonymous = await service.fetch(`${BOOK}/x/borrow`, {
      method: "POST",
      headers: { Accept: "application/json" },
    });
    expect(anonymous.status).toBe(401);
    expect((await asJson(ann, "borrow", "/books/OL2M")).status).toBe(409);
  });

  it("redirects to the login without a valid session, and clears a forged one", async () => {
    const response = await service.fetch(`${BOOK}/x/borrow`, {
      method: "POST",
      headers: { Cookie: "session=forged" },
    });
    expect(response.status).toBe(303);
    expect(decodeURIComponent(location(response))).toBe(
      "/account/login?redirect=/books/OL1M/Foo_a_bar_(2nd_ed.)/borrow?action=borrow",
    );
    expect(response.headers.getSetCookie().join()).toMatch(/session=;.*Max-Age=0/);
  });

  it.each([
    ["/books/OL3M/x/borrow?_autoReadAloud=1", `${ORIGIN}/stream/open00book?ref=ol&_autoReadAloud=show`],
    [`${BOOK}/x/borrow?q=white+whale`, `${STREAM}#page/-/mode/2up/search/white%20whale`],
    [`${BOOK}/x/borrow?action=locate`, "https://search.worldcat.org/search?q=no%3A12345"],
    ["/borrow/ia/foo00bar?action=read", `${BOOK}/x/borrow?action=read`],
    ["/ia/foo00bar/borrow?action=read", `${BOOK}/x/borrow?action=read`],
    ["/borrow", "/subjects/in_library#ebooks=true"],
    ["/borrow.json?limit=1", "/subjects/in_library.json?limit=1"],
    ["/read", "/subjects/accessible_book#ebooks=true"],
    ["/read.json", "/subjects/accessible_book.json"],
  ])("redirects %s to %s without a session", async (path, leadsTo) => {
    const response = await service.fetch(path);
    expect([response.status, location(response)]).toEqual([303, leadsTo]);
  });

  it.each([
    ["/books/OL4M/x/borrow?action=read", "https://www.gutenberg.org/ebooks/77", "Project Gutenberg"],
    ["/books/OL6M/x/borrow", "https://books.test/a%20b%zz;x", "books.test"],
  ])("%s shows a page that leads to another provider, escaped", async (path, url, name) => {
    const partner = await service.fetch(path, { headers: { Accept: "text/html" } });
    expect([partner.status, partner.headers.get("Refresh")]).toEqual([200, `5; url=${url}`]);
    expect(await partner.text()).toContain(`href="${url}">${name}</a>`);
  });

  it("reports an edition without a scan on its page", async () => {
    const unscanned = await act(ann, "borrow", "/books/OL2M");
    expect(location(unscanned)).toBe("/books/OL2M/Book_2");
    expect(flashOf(unscanned)).toMatchObject([{ type: "error" }]);
  });

  it("lends and takes back the scan of a book that is also open elsewhere", async () => {
    const book = "/books/OL4M";
    expect(location(await act(ann, "browse", book))).toContain("BookReaderAuth.php");
    expect(await env.PATRON.getByName("ann").loans.count(service.now)).toBe(1);
    expect(flashOf(await act(ann, "return", book))).toMatchObject([{ type: "success" }]);
    expect(await env.PATRON.getByName("ann").loans.count(service.now)).toBe(0);
  });

  it("follows redirects of the edition's work", async () => {
    expect(location(await act(ann, "borrow", "/books/OL7M"))).toContain("BookReaderAuth.php");
    await act(ann, "return", "/books/OL7M");
  });

  it("borrows by GET, except from another site or when BORROW_GET_WRITES is off", async () => {
    const away = { headers: { "Sec-Fetch-Site": "cross-site", Accept: "text/html" } };
    const asked = await ben.fetch(`${PAGE}/borrow?action=borrow&redirect=https://evil.test/a%3Fb`, away);
    expect(asked.status).toBe(200);
    const page = await asked.text();
    expect(page).toContain(`action="${PAGE}/borrow"`);
    expect(page).toContain('name="redirect" value="/a?b"');
    expect((await ben.fetch(`${BOOK}/x/borrow`, { method: "HEAD" })).status).toBe(200);
    const elsewhere: Record<string, string>[] = [
      { "Sec-Fetch-Site": "same-site" },
      { Referer: "https://evil.test/" },
      { Accept: "text/html" },
      { "Sec-Fetch-Site": "same-origin", "Sec-Purpose": "prefetch" },
    ];
    for (const headers of elsewhere) {
      const init = { headers: { Accept: "text/html", ...headers } };
      expect((await ben.fetch(`${BOOK}/x/borrow`, init)).status).toBe(200);
    }
    const json = { headers: { ...away.headers, Accept: "application/json" } };
    expect((await ben.fetch(`${BOOK}/x/borrow`, json)).status).toBe(403);
    expect(location(await ben.fetch("/books/OL3M/x/borrow", away))).toBe(
      `${ORIGIN}/stream/open00book?ref=ol`,
    );
    expect(location(await service.fetch(`${BOOK}/x/borrow`, away))).toMatch(/^\/account\/login\?redirect=/);
    expect((await ben.fetch("/books/OL99M/x/borrow", away)).status).toBe(404);
    const strict = testService({ BORROW_GET_WRITES: "off" });
    strict.now = service.now;
    expect((await strict.fetch(`${BOOK}/x/borrow`, { headers: { ...ben.headers } })).status).toBe(200);
    expect(await env.PATRON.getByName("ben").loans.count(service.now)).toBe(0);
    expect(location(await ben.fetch(`${BOOK}/x/borrow`))).toContain("BookReaderAuth.php");
    const back = await ben.fetch(`${BOOK}/x/borrow?action=return&redirect=https://evil.test/a%3Fb%23c`);
    expect(location(back)).toBe("/a?b#c");
    for (const redirect of ["//evil.test", "https://x//evil.test/", "\\\\evil.test"]) {
      const query = new URLSearchParams({ action: "return", redirect });
      expect(location(await ben.fetch(`${BOOK}/x/borrow?${query}`))).not.toMatch(/^(?:\/\/|\\|https?:)/);
    }
  });

  it.each([
    [`${BOOK}/x/borrow?action=steal`, 422],
    ["/books/OL99M/x/borrow", 404],
    ["/books/nonsense/x/borrow", 404],
    [`${BOOK}/borrow`, 404],
    ["/borrow/ia/nothing", 404],
  ])("answers GET %s with %d", async (path, status) => {
    expect((await service.fetch(path)).status).toBe(status);
  });

  it("lends by the name of the scan", async () => {
    const init = { method: "POST", body: new URLSearchParams({ action: "borrow" }) };
    expect(location(await ann.fetch("/borrow/ia/foo00bar", init))).toContain("BookReaderAuth.php");
    expect(location(await ann.fetch("/books/ia:foo00bar/x/borrow?action=return"))).toBe(BOOK_PAGE);
  });

  it("refuses read-only accounts", async () => {
    const reader = await loggedIn(service, "reader", { groups: ["read-only"] });
    expect((await act(reader, "borrow")).status).toBe(403);
  });
});

it("GET /borrow/about explains waiting lists", async () => {
  expect(await (await service.fetch("/borrow/about")).text()).toContain("waiting list");
});
