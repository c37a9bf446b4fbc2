import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { formOf, jsonOf } from "../../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { settleIndexQueue } from "../../../support/worker/queues.ts";
import { author, work } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";
import { formWith, formsOf, sent } from "../people/page-forms.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
const HTML = { headers: { Accept: "text/html" } };
const LIST = "/people/Jane/lists/OL1L";
const SERIES = "/series/OL2L";
let reader: LoggedIn;

beforeAll(async () => {
  reader = await loggedIn(service, "Jane");
  const seeds = [1, 2].map((id) => ({ thing: { key: `/works/OL${id}W` } }));
  await service.load(
    author(1),
    ...[1, 2].map((id) =>
      work(id, {
        title: `Emma ${id}`,
        authors: [1],
        subjects: ["Matchmaking"],
        series: [{ series: { key: SERIES } }],
      }),
    ),
    { key: LIST, type: "/type/list", name: "Best", seeds },
    { key: SERIES, type: "/type/series", name: "Novels", seeds },
  );
  await settleIndexQueue();
});

const shelves = () => env.PATRON.getByName("jane").shelves;
const read = async (path: string, who: Pick<LoggedIn, "fetch"> = reader) => {
  const answer = await who.fetch(path, HTML);
  expect([path, answer.status]).toEqual([path, 200]);
  return { html: await answer.text(), cacheControl: answer.headers.get("Cache-Control") };
};
const put = (id: number, fields: Record<string, string>) =>
  reader.fetch(`/works/OL${id}W/bookshelves.json`, formOf(fields));

/** Sends the first form of a book on a page with these fields, and returns the page that follows, with its notice. */
async function submit(path: string, action: string, fields: Record<string, string>) {
  const form = formWith(await formsOf((await read(path)).html), action);
  return follow(await reader.fetch(form.action, sent(form, fields)));
}

async function follow(answer: Response) {
  expect(answer.status).toBe(303);
  const flash = /^flash=[^;]*/.exec(answer.headers.getSetCookie().join())?.[0] ?? "";
  const html = await (
    await service.fetch(answer.headers.get("Location") ?? "", {
      headers: { Accept: "text/html", Cookie: `${reader.headers.Cookie}; ${flash}` },
    })
  ).text();
  const [, notice = ""] = /<div class="notice[^>]*><p>(.*?)<\/p>/.exec(html) ?? [];
  return { html, notice: notice.replaceAll(/<[^>]*>/g, "") };
}

describe("rows of books", () => {
  it.each([
    ["search results", "/search?q=emma"],
    ["an author", "/authors/OL1A/Author_1"],
    ["a subject", "/subjects/matchmaking"],
    ["a list", `${LIST}/Best`],
    ["a series", `${SERIES}/Novels`],
  ])("of %s have a shelf button with the reader's shelf", async (_name, path) => {
    await put(1, { bookshelf_id: "3", dont_remove: "true" });
    const { html, cacheControl } = await read(path);
    expect(html).toContain('<summary class="button on">✓ Already read');
    const buttons = [
      ...html.matchAll(/class="primary" name="bookshelf_id" value="1">[^<]*<span class="unseen"> ([^<]*)/g),
    ];
    expect(buttons.map(([, title]) => title)).toEqual(["Emma 2"]);
    expect(cacheControl).toBe("private, no-store");
    expect((await read(path, service)).html).not.toContain("Already read");
  });
});

describe("moving a book", () => {
  const SEARCH = "/search?q=emma";
  const ACTION = "/works/OL1W/bookshelves.json";

  it("keeps dates and rating, names the book, and can be undone", async () => {
    await put(1, { bookshelf_id: "3", dont_remove: "true" });
    await reader.fetch("/works/OL1W/ratings.json", formOf({ rating: "5" }));
    await reader.fetch("/works/OL1W/check-ins.json", jsonOf({ event_type: 3, year: 2025 }));
    const before = [await shelves().entry(1), await reader.json("/works/OL1W/check-ins.json")];
    service.now += 3_600_000;

    const moved = await submit(SEARCH, ACTION, { bookshelf_id: "1" });
    expect(moved.notice).toBe("Emma 1 moved from “Already read” to “Want to read”");
    expect(await shelves().rating(1)).toMatchObject({ stars: 5 });
    expect(await reader.json("/works/OL1W/check-ins.json")).toEqual(before[1]);

    const undo = formWith(await formsOf(moved.html), ACTION);
    const undone = await follow(await reader.fetch(undo.action, sent(undo, { undo: "true" })));
    expect(undone.notice).toBe("Emma 1 is back on “Already read”");
    expect([await shelves().entry(1), await reader.json("/works/OL1W/check-ins.json")]).toEqual(before);
    expect((await shelves().sizes())[1] ?? 0).toBe(0);
  });

  it("restores the dates when a removal is undone", async () => {
    await put(1, { bookshelf_id: "3", dont_remove: "true" });
    await reader.fetch("/works/OL1W/check-ins.json", jsonOf({ event_type: 1, year: 2024 }));
    const before = [await shelves().entry(1), await reader.json("/works/OL1W/check-ins.json")];
    const removed = await submit(SEARCH, ACTION, { bookshelf_id: "-1" });
    expect(removed.notice).toBe("Emma 1 removed from “Already read”");
    expect(await reader.json("/works/OL1W/check-ins.json")).toEqual({ entries: [] });
    await submit(SEARCH, ACTION, { undo: "true" });
    expect([await shelves().entry(1), await reader.json("/works/OL1W/check-ins.json")]).toEqual(before);
  });

  it("keeps earlier dates when an addition is undone", async () => {
    await reader.fetch("/works/OL2W/check-ins.json", jsonOf({ event_type: 3, year: 2023 }));
    const dates = await reader.json("/works/OL2W/check-ins.json");
    const OTHER = "/works/OL2W/bookshelves.json";
    expect((await submit(SEARCH, OTHER, { bookshelf_id: "1" })).notice).toBe(
      "Emma 2 added to “Want to read”",
    );
    expect((await submit(SEARCH, OTHER, { undo: "true" })).notice).toBe("Emma 2 removed from “Want to read”");
    expect(await reader.json("/works/OL2W/check-ins.json")).toEqual(dates);
  });

  it("cannot be undone after another book moved", async () => {
    await put(1, { bookshelf_id: "3", dont_remove: "true" });
    await put(1, { bookshelf_id: "4" });
    await put(2, { bookshelf_id: "2" });
    expect((await submit(SEARCH, ACTION, { undo: "true" })).notice).toMatch(
      /^This move can no longer be undone/,
    );
    expect(await shelves().entry(1)).toMatchObject({ shelf: 4 });
  });

  it("is announced when a rating causes it", async () => {
    await put(1, { bookshelf_id: "2", dont_remove: "true" });
    const path = "/people/Jane/books/currently-reading";
    const rated = await submit(path, "/works/OL1W/ratings.json", { rating: "4" });
    expect(rated.notice).toBe("Emma 1 moved from “Currently reading” to “Already read”");
  });
});
