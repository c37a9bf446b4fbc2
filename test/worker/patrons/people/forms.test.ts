import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { formOf } from "../../../support/worker/accounts.ts";
import type { LoggedIn } from "../../../support/worker/logged-in.ts";
import { testService } from "../../../support/worker/service.ts";
import { formWith, formsOf, sent } from "./page-forms.ts";
import { joeAndAnn, pageFor } from "./patron-pages.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
let ann: LoggedIn;

const objectOf = (username: string) => env.PATRON.getByName(username);

beforeAll(async () => {
  ({ ann } = await joeAndAnn(service));
  await objectOf("joe").shelves.put({ work: 28, shelf: 3, keep: true, now: service.now });
});

describe("forms of a patron's pages", () => {
  const HERE = "/people/Ann/books/currently-reading";
  /** Sends a form as a browser does, and returns the redirect target. */
  const submit = async (path: string, action: string, fields: Record<string, string> = {}) => {
    const form = formWith(await formsOf(await pageFor(ann, path)), action);
    const answer = await ann.fetch(form.action, sent(form, fields));
    return [answer.status, answer.headers.get("Location")];
  };

  beforeAll(async () => {
    await objectOf("ann").shelves.put({ work: 5, shelf: 2, edition: 7, keep: true, now: service.now });
  });

  it("rate, move and remove a book", async () => {
    expect(await submit(HERE, "/works/OL5W/bookshelves.json", { bookshelf_id: "4" })).toEqual([303, HERE]);
    expect(await objectOf("ann").shelves.entry(5)).toMatchObject({ shelf: 4, edition: 7 });
    const stopped = "/people/Ann/books/stopped-reading";
    expect(await submit(stopped, "/works/OL5W/ratings.json", { rating: "4" })).toEqual([303, stopped]);
    const read = "/people/Ann/books/already-read";
    expect(await pageFor(ann, read)).toContain('name="rating" value="4" aria-pressed="true"');
    expect(await submit(read, "/works/OL5W/ratings.json", { rating: "" })).toEqual([303, read]);
    expect((await objectOf("ann").shelves.rating(5)) ?? null).toBeNull();
    expect(await submit(read, "/works/OL5W/bookshelves.json", { bookshelf_id: "-1" })).toEqual([303, read]);
    expect((await objectOf("ann").shelves.entry(5)) ?? null).toBeNull();
  });

  it("add a book of another patron", async () => {
    const theirs = "/people/Joe/books/already-read";
    expect(await submit(theirs, "/works/OL28W/bookshelves.json", { bookshelf_id: "1" })).toEqual([
      303,
      theirs,
    ]);
    expect(await objectOf("ann").shelves.entry(28)).toMatchObject({ shelf: 1 });
    expect(await formsOf(await pageFor(service, theirs))).toEqual([]);
  });

  it("write notes and check-ins", async () => {
    const kept = "/people/Ann/books/notes?work=OL6W";
    await objectOf("ann").notes.set({ work: 6, edition: 60, text: "of the edition", now: service.now });
    expect(await submit(kept, "/works/OL6W/notes.json", { notes: "</textarea><b>mine</b>" })).toEqual([
      303,
      kept,
    ]);
    expect(await pageFor(ann, kept)).toContain("&lt;/textarea&gt;&lt;b&gt;mine&lt;/b&gt;</textarea>");
    const forms = await formsOf(await pageFor(ann, kept));
    expect(forms.map(({ fields }) => fields["edition_id"])).toContain("OL60M");
    const all = await pageFor(ann, "/people/Ann/books/notes");
    expect(all).toContain(">&lt;/textarea&gt;&lt;b&gt;mine&lt;/b&gt;</span>");
    expect(all).toContain(">of the edition</span>");

    expect(await submit(kept, "/works/OL6W/check-ins/add", { date: "2026-02-03" })).toEqual([303, kept]);
    expect(await objectOf("ann").diary.checkIns(6)).toMatchObject([{ type: 3, date: "2026-02-03" }]);
    const day = '<time datetime="2026-02-03">3 February 2026</time>';
    expect(await pageFor(ann, kept)).toContain(`<span>Finished <bdi>${day}</bdi></span>`);
    // An equal date is saved once.
    expect(await submit(kept, "/works/OL6W/check-ins/add", { date: "3 February 2026" })).toEqual([303, kept]);
    expect(await objectOf("ann").diary.checkIns(6)).toHaveLength(1);
    expect(await submit(kept, "/check-ins/")).toEqual([303, kept]);
    expect(await objectOf("ann").diary.checkIns(6)).toEqual([]);
    expect(await submit(kept, "/works/OL6W/notes.json", { notes: "" })).toEqual([303, kept]);
    expect(await objectOf("ann").notes.of(6)).toMatchObject([{ edition: 60 }]);
  });

  it("come back with the input and the errors", async () => {
    const kept = "/people/Ann/books/notes?work=OL6W";
    const form = formWith(await formsOf(await pageFor(ann, kept)), "/works/OL6W/check-ins/add");
    const answer = await ann.fetch(form.action, sent(form, { event_type: "1", date: '2026-02-30"' }));
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain('value="2026-02-30&quot;" id="date" name="date"');
    expect(html).toContain('<option value="1" selected>Started</option>');
    expect(html).toContain('<a href="#date">Enter a date like');
    expect(html).toContain('aria-describedby="date-hint date-error" aria-invalid="true"');
    const future = await ann.fetch(form.action, sent(form, { date: "2199-01-01" }));
    expect([future.status, await future.text()]).toEqual([422, expect.stringContaining("in the future")]);
    expect(await objectOf("ann").diary.checkIns(6)).toEqual([]);
  });

  it("set and clear observations", async () => {
    const kept = "/people/Ann/books/notes?work=OL7W";
    await objectOf("ann").notes.observe({
      work: 7,
      observed: [
        { type: 13, value: 7, isSingle: false },
        // No longer offered.
        { type: 4, value: 2, isSingle: true },
      ],
      now: service.now,
    });
    const page = await pageFor(ann, kept);
    expect(page).toContain('name="observed" value="13.7" checked');
    expect(page).toContain('name="observed" value="13.9"><label for="o13.9">Tense</label>');
    const send = (observed: readonly string[]) =>
      ann.fetch("/works/OL7W/observations/own", {
        method: "POST",
        body: new URLSearchParams([
          ["redir_url", kept],
          ...observed.map((one) => ["observed", one]),
        ]).toString(),
        headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" },
      });
    const stored = async () =>
      (await objectOf("ann").notes.observations(7)).map(({ type, value }) => `${type}.${value}`);
    const answer = await send(["13.9", "16.1"]);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, kept]);
    expect(decodeURIComponent(answer.headers.get("Set-Cookie") ?? "")).toContain("notice.observations_kept");
    expect(await stored()).toEqual(["4.2", "13.9", "16.1"]);
    expect((await send(["4.1"])).status).toBe(422);
    expect((await send(["x"])).status).toBe(422);
    await send([]);
    expect(await stored()).toEqual(["4.2"]);
  });

  it("set, change and delete the yearly goal", async () => {
    const books = "/people/Ann/books";
    expect(await submit(books, "/reading-goal.json", { goal: "4" })).toEqual([303, books]);
    await objectOf("ann").diary.add({
      reserved: [1_000_003],
      work: 7,
      edition: null,
      type: 3,
      date: "2026-01",
      now: 1,
    });
    expect(await pageFor(ann, books)).toContain("2026 reading goal: 1 of 4");
    expect(await submit(books, "/reading-goal.json", { goal: "1" })).toEqual([303, books]);
    expect(await pageFor(ann, books)).toContain("2026 reading goal: 1 of 1");
    expect(await submit(books, "/reading-goal.json", { goal: "0" })).toEqual([303, books]);
    expect(await pageFor(ann, books)).toContain("Set a 2026 reading goal (1 read so far)");
  });
});

describe("the redirect after a form", () => {
  const rate = (headers: Record<string, string>, query = "") =>
    ann.fetch(
      `/works/OL10W/ratings.json${query}`,
      formOf({ rating: "3" }, { Accept: "text/html", ...headers }),
    );

  it.each([
    [
      "the page that it was on",
      { Referer: "http://carrel.test/people/Ann/books?page=2" },
      "",
      "/people/Ann/books?page=2",
    ],
    ["the books, without a page", {}, "", "/account/books"],
    ["the books, from another site", { Referer: "https://evil.example/x" }, "", "/account/books"],
    ["what the address says", { Referer: "http://carrel.test/x" }, "?redir_url=/people/Ann", "/people/Ann"],
    ["nowhere else", {}, "?redir_url=//evil.example", "/account/books"],
    ["nowhere else", {}, "?redir_url=https://evil.example", "/account/books"],
  ])("to %s", async (_name, headers, query, location) => {
    const answer = await rate(headers as Record<string, string>, query);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, location]);
  });

  it("is not sent to JSON clients", async () => {
    expect(await ann.json("/works/OL10W/ratings.json", formOf({ rating: "2" }))).toEqual({
      success: "rating added",
    });
  });
});
