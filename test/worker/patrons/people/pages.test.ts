import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { formOf } from "../../../support/worker/accounts.ts";
import { addAccounts } from "../../../support/worker/activity.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { settleActivity } from "../../../support/worker/queues.ts";
import { testService } from "../../../support/worker/service.ts";
import { formWith, formsOf, sent } from "./page-forms.ts";
import { joeAndAnn, locationFor, pageFor, show } from "./patron-pages.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
const HTML = { headers: { Accept: "text/html" } };
let joe: LoggedIn;
let ann: LoggedIn;

const objectOf = (username: string) => env.PATRON.getByName(username);
const pageOf = (path: string, who: Pick<LoggedIn, "fetch"> = service) => pageFor(who, path);
const locationOf = (path: string, who: Pick<LoggedIn, "fetch"> = service) => locationFor(who, path);
/** Titles on a page, in their order. */
const titlesOf = (html: string): string[] =>
  [...html.matchAll(/<cite[^>]*>([^<]*)<\/cite>/g)].map(([, title = ""]) => title);

beforeAll(async () => {
  ({ joe, ann } = await joeAndAnn(service));
});

describe("/people/<username>", () => {
  it("is a page for browsers and a record for clients", async () => {
    const html = await pageOf("/people/Joe");
    expect(html).toContain("<h1>Joe</h1>");
    expect(html).not.toContain("Websites");
    expect(html).toContain("/account/login?redirect=%2Fpeople%2FJoe&amp;action=follow%3AJoe");
    expect(await service.json("/people/Joe.json")).toMatchObject({
      key: "/people/Joe",
      type: { key: "/type/user" },
    });
    expect(await service.json("/people/Joe")).toMatchObject({ key: "/people/Joe" });
    expect(await service.json("/people/Joe?v=1")).toMatchObject({ key: "/people/Joe", revision: 1 });
    const record = await service.fetch("/people/Joe?v=1", HTML);
    expect(await record.text()).toContain('<a href="/people/Joe.json">JSON</a>');
    expect((await service.fetch("/people/Joe?m=history", HTML)).status).toBe(200);
    expect(await pageOf("/people/JOE")).toContain("<h1>Joe</h1>");
    expect((await service.fetch("/people/nobody_here", HTML)).status).toBe(404);
  });

  it("depends on the session in the same isolate", async () => {
    expect(await pageOf("/people/Joe", joe)).toContain('aria-label="Your pages"');
    expect(await pageOf("/people/Joe", ann)).toContain("/people/Ann/follows.json");
    const html = await pageOf("/people/Joe");
    expect(html).not.toContain('aria-label="Your pages"');
    expect(html).not.toContain("/people/Ann/follows.json");
  });

  it("escapes profile texts and links to web addresses only", async () => {
    await service.load({
      key: "/people/Joe",
      type: "/type/user",
      revision: 2,
      displayname: "<i>Joe</i>",
      description: { type: "/type/text", value: "<script>alert(1)</script>" },
      website: ["javascript:alert(1)", "https://example.com/?a=1&b=2"],
    });
    const html = await pageOf("/people/Joe");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).not.toContain("javascript:");
    expect(html).toContain('<a href="https://example.com/?a=1&amp;b=2" rel="nofollow noopener">');
  });

  it("has a button to follow and unfollow", async () => {
    const follow = formWith(await formsOf(await pageOf("/people/Joe", ann)), "/people/Ann/follows.json");
    const answer = await ann.fetch(follow.action, sent(follow));
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/people/Joe"]);
    expect(await pageOf("/people/Joe", ann)).toContain("Unfollow <bdi>Joe</bdi>");
    expect(await formsOf(await pageOf("/people/Joe", joe))).toEqual([]);
  });

  it("has a picture", async () => {
    expect(await locationOf("/people/joe/avatar")).toEqual([303, "/static/patron.svg"]);
    await env.PATRONS.prepare("UPDATE account SET subject = '@joe x' WHERE username = 'Joe'").run();
    const linked = testService({
      IDENTITY_PROVIDER: "xauth",
      ARCHIVE_PUBLIC_URL: "https://archive.example/",
    });
    expect(await locationOf("/people/joe/avatar", linked)).toEqual([
      303,
      "https://archive.example/services/img/@joe%20x",
    ]);
    expect((await service.fetch("/people/nobody_here/avatar")).status).toBe(404);
  });
});

describe("/people/<username>/books", () => {
  beforeAll(async () => {
    const { shelves, diary } = objectOf("joe");
    for (let work = 1; work <= 27; work += 1) {
      await shelves.put({ work, shelf: 1, keep: true, now: service.now + work });
    }
    await shelves.put({ work: 28, shelf: 3, keep: true, now: service.now });
    await shelves.put({ work: 40, shelf: 3, keep: true, now: service.now + 1 });
    await shelves.put({ work: 99, shelf: 3, keep: true, now: service.now + 2 });
    await diary.add({
      reserved: [1_000_001],
      work: 28,
      edition: null,
      type: 3,
      date: "2025-05",
      now: service.now,
    });
    await diary.add({
      reserved: [1_000_002],
      work: 28,
      edition: null,
      type: 3,
      date: "9999",
      now: service.now,
    });
  });

  it("shows all shelves with their newest books", async () => {
    const html = await pageOf("/people/joe/books");
    expect(titlesOf(html).slice(0, 3)).toEqual(["Work 27", "Work 26", "Work 25"]);
    expect(titlesOf(html).slice(12)).toEqual(["OL99W", "OL40W", "Work 28"]);
    expect(html).toContain(
      '<a href="/people/Joe/books/want-to-read">Want to read</a> <span class="n">27</span>',
    );
    expect(html).toContain('<i dir="auto">A. Writer</i>');
    expect(html).not.toContain("reading goal:");
  });

  it("pages a shelf, and shows the last page beyond the end", async () => {
    const first = await pageOf("/people/Joe/books/want-to-read");
    expect(titlesOf(first)).toHaveLength(25);
    expect(first).toContain('<a rel="next" href="/people/Joe/books/want-to-read?page=2">');
    for (const page of ["2", "7", "1000000000"]) {
      const html = await pageOf(`/people/Joe/books/want-to-read?page=${page}`);
      expect(titlesOf(html)).toEqual(["Work 2", "&lt;b&gt;Bold&lt;/b&gt; &amp; Co"]);
    }
    expect(titlesOf(await pageOf("/people/Joe/books/want-to-read?page=x"))).toHaveLength(25);
    expect((await service.fetch("/people/Joe/books/wish-list", HTML)).status).toBe(404);
    expect((await service.fetch("/people/nobody_here/books/want-to-read", HTML)).status).toBe(404);
  });

  it("searches a shelf", async () => {
    const path = "/people/Joe/books/want-to-read";
    expect(titlesOf(await pageOf(`${path}?q=%22work+17%22`))).toEqual(["Work 17"]);
    expect(titlesOf(await pageOf(`${path}?q=%22work+28%22`))).toEqual([]);
    const html = await pageOf(`${path}?q=writer`);
    expect(titlesOf(html)).toHaveLength(25);
    expect(html).toContain(`<a rel="next" href="${path}?q=writer&amp;page=2">`);
    expect(titlesOf(await pageOf(`${path}?q=writer&page=2`))).toHaveLength(2);
    // A page beyond the end is the last one.
    expect(titlesOf(await pageOf(`${path}?q=writer&page=99`))).toHaveLength(2);
    expect(await pageOf(`${path}?q=%22%3E%3Cb%3E`)).toContain('value="&quot;&gt;&lt;b&gt;"');
  });

  it("sorts a shelf", async () => {
    const path = "/people/Joe/books/want-to-read";
    const first = async (sort: string) => titlesOf(await pageOf(`${path}?sort=${sort}`, joe))[0];
    expect(await first("oldest")).toBe("&lt;b&gt;Bold&lt;/b&gt; &amp; Co");
    expect(await first("title")).toBe("&lt;b&gt;Bold&lt;/b&gt; &amp; Co");
    expect(await first("added")).toBe("Work 27");
    expect(await first("no-order")).toBe("Work 27");
    const read = "/people/Joe/books/already-read?sort=finished";
    expect(titlesOf(await pageOf(read, joe))).toEqual(["Work 28", "OL99W", "OL40W"]);
    await env.PATRON.getByName("joe").shelves.rate({ work: 40, stars: 2, now: service.now });
    const rated = "/people/Joe/books/already-read?sort=stars";
    expect(titlesOf(await pageOf(rated, joe))[0]).toBe("OL40W");
    expect(await pageOf("/people/Joe/books/already-read", joe)).toContain('<option value="stars">');
    expect(await pageOf("/people/Joe/books/already-read")).not.toContain('<option value="stars">');
    expect(titlesOf(await pageOf(rated))[0]).toBe("OL99W");
    const next = await pageOf(`${path}?sort=oldest`);
    expect(next).toContain(`<a rel="next" href="${path}?sort=oldest&amp;page=2">`);
  });

  it("shows the books finished in a year", async () => {
    expect(titlesOf(await pageOf("/people/Joe/books/already-read/year/2025"))).toEqual(["Work 28"]);
    expect(titlesOf(await pageOf("/people/Joe/books/already-read/year/9999"))).toEqual(["Work 28"]);
    expect(titlesOf(await pageOf("/people/Joe/books/already-read/year/2024"))).toEqual([]);
    const own = await pageOf("/people/Joe/books/already-read/year/2025", joe);
    expect(own).toContain('aria-label="May 1"');
    expect(own).toMatch(/<caption>Subjects<[^]*<th scope="row">Odd things<\/th><td>1<\/td>/);
    expect(await pageOf("/people/Joe/books/already-read/year/9999", joe)).not.toContain("<figure");
    for (const year of ["999", "0999", "20255", "abcd"]) {
      expect((await service.fetch(`/people/Joe/books/already-read/year/${year}`, HTML)).status).toBe(400);
    }
  });

  it("counts subjects and authors of a shelf for its owner", async () => {
    const html = await pageOf("/people/Joe/books/want-to-read/stats", joe);
    expect(html).toContain("Based on 27 books.");
    expect(html).toContain('<th scope="row">Even things</th><td>14</td>');
    expect(html).toContain('<th scope="row">A. Writer</th><td>27</td>');
    const read = await pageOf("/people/Joe/books/already-read/stats", joe);
    expect(read).toContain("Based on 1 book. (2 more have no data)");
    expect(await pageOf("/people/Joe/books/already-read/year/2025/stats", joe)).toContain("Based on 1 book.");
    expect(await pageOf("/people/Joe/books/already-read/year/2024/stats", joe)).toContain(
      "Based on 0 books.",
    );
    for (const rest of ["", "/year/2025"]) {
      const path = `/people/Joe/books/already-read${rest}/stats`;
      expect(await locationOf(path)).toEqual([303, "/people/Joe"]);
      expect(await locationOf(path, ann)).toEqual([303, "/people/Joe"]);
    }
  });

  it("hides a private log from other patrons", async () => {
    for (const rest of ["/books", "/books/want-to-read", "/books/already-read/year/2025", "/following"]) {
      const path = `/people/ann${rest}`;
      expect(await locationOf(path)).toEqual([303, "/people/Ann"]);
      expect(await locationOf(path, joe)).toEqual([303, "/people/Ann"]);
      await pageOf(path, ann);
    }
    expect(await pageOf("/people/Ann", joe)).toContain("This reading log is private");
  });

  it("shows notes, observations and the feed to their owner only", async () => {
    for (const rest of ["notes", "notes?work=OL1W", "observations", "feed"]) {
      expect(await locationOf(`/people/joe/books/${rest}`)).toEqual([303, "/people/Joe"]);
      expect(await locationOf(`/people/joe/books/${rest}`, ann)).toEqual([303, "/people/Joe"]);
      await pageOf(`/people/joe/books/${rest}`, joe);
    }
  });

  it("shows observations", async () => {
    const { notes } = objectOf("ann");
    const dark = { type: 13, value: 7, isSingle: false };
    const observed = [dark, { type: 13, value: 9, isSingle: false }];
    await notes.observe({ work: 8, observed, now: service.now });
    await notes.observe({
      work: 9,
      observed: [{ type: 16, value: 1, isSingle: false }],
      now: service.now + 1,
    });
    const html = await pageOf("/people/Ann/books/observations", ann);
    expect(titlesOf(html)).toEqual(["Work 9", "Work 8"]);
    expect(html).toContain("<dt>Mood</dt><dd>Dark, Tense</dd>");
  });
});

describe("followers and feed", () => {
  it("pages through followers and shows the last page beyond the end", async () => {
    const star = await loggedIn(service, "Star");
    const fans = Array.from({ length: 27 }, (_, index) => `fan_${String(index).padStart(2, "0")}`);
    await addAccounts(...fans);
    await loggedIn(service, "fan_01");
    await Promise.all(
      fans.map((name, index) =>
        objectOf(name).follows.follow({ username: "Star", disabled: false, now: service.now + index }),
      ),
    );
    await settleActivity();
    const namesOf = (html: string): string[] =>
      [...html.matchAll(/<th scope="row"><a href="[^"]*">([^<]*)</g)].map(([, name = ""]) => name);
    expect(namesOf(await pageOf("/people/star/followers"))).toEqual(fans.toReversed().slice(0, 25));
    expect(namesOf(await pageOf("/people/star/followers?page=9"))).toEqual(["fan_01", "fan_00"]);
    await objectOf("fan_01").setPreferences({ public_readlog: "yes" });
    expect(namesOf(await pageOf("/people/fan_01/following"))).toEqual(["Star"]);
    const button = formWith(
      await formsOf(await pageOf("/people/fan_01/following", ann)),
      "/people/Ann/follows.json",
    );
    expect(button.fields).toMatchObject({
      publisher: "Star",
      state: "0",
      redir_url: "/people/fan_01/following",
    });
    expect(await formsOf(await pageOf("/people/fan_01/following", star))).toEqual([]);
    expect(namesOf(await pageOf("/people/fan_01/followers"))).toEqual([]);
    expect((await service.fetch("/people/nobody_here/followers", HTML)).status).toBe(404);
  });

  it("shows books of visible logs of followed patrons", async () => {
    const reader = await loggedIn(service, "Feeder");
    const open = await loggedIn(service, "Open_book");
    const hidden = await loggedIn(service, "Hidden_book");
    await show(open, "yes");
    await show(hidden, "no");
    for (const publisher of ["Open_book", "Hidden_book"]) {
      await reader.fetch("/people/Feeder/follows.json", formOf({ publisher, state: "0" }));
    }
    await open.fetch("/works/OL3W/bookshelves.json", formOf({ bookshelf_id: "1" }));
    service.now += 1000;
    await open.fetch("/works/OL4W/bookshelves.json", formOf({ bookshelf_id: "2" }));
    await hidden.fetch("/works/OL9W/bookshelves.json", formOf({ bookshelf_id: "1" }));
    await settleActivity();
    expect(titlesOf(await pageOf("/people/Feeder/books/feed", reader))).toEqual(["Work 4", "Work 3"]);
  });
});
