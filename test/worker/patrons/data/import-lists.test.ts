import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { loggedIn } from "../../../support/worker/logged-in.ts";
import { settleActivity } from "../../../support/worker/queues.ts";
import { edition, work } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";
import { uploadLibrary } from "../../../support/worker/upload-library.ts";

const service = testService();

beforeAll(async () => {
  await service.load(
    work(1),
    work(2),
    edition(11, { work: 1, isbn_13: ["9780451526533"] }),
    edition(12, { work: 2, isbn_13: ["9780140328721"] }),
  );
});

describe("custom shelves and tags", () => {
  it("become lists, once", async () => {
    const who = await loggedIn(service, "Tagger");
    const file =
      "Title,Authors,ISBN/UID,Read Status,Star Rating,Dates Read,Moods,Tags,Owned?\n" +
      'Rivers,A. Writer,0451526538,did-not-finish,3.5,"2024/01/01-2024/02/01, 2025/03/01",dark,Boats,Yes\n' +
      "Hills,B. Writer,9780140328721,to-read,,,,Boats,No\n";
    for (const _time of [1, 2]) {
      expect((await uploadLibrary(who, "/account/import", file, { lists: "yes" })).status).toBe(202);
      await settleActivity();
    }
    const { lists } = (await who.json("/account/import.json")) as { lists: { name: string; key: string }[] };
    expect(lists).toMatchObject([
      { name: "Boats", problem: null },
      { name: "Owned", problem: null },
    ]);
    const seeds = await Promise.all(lists.map(({ key }) => service.json(`${key}/seeds.json`)));
    expect(seeds).toMatchObject([{ size: 2 }, { size: 1, entries: [{ url: "/works/OL1W" }] }]);
    expect(await service.json("/people/Tagger/lists.json")).toMatchObject({ size: 2 });
    const own = env.PATRON.getByName("tagger");
    expect(await own.shelves.entry(1)).toMatchObject({ shelf: 4 });
    expect((await own.shelves.rating(1))?.stars).toBe(4);
    expect((await own.diary.checkIns(1)).map(({ type, date }) => [type, date])).toEqual([
      [1, "2024-01-01"],
      [3, "2024-02-01"],
      [3, "2025-03-01"],
    ]);
    expect(await own.notes.observations(1)).toMatchObject([{ type: 13, value: 7 }]);
  });
});

describe("lists, which are public", () => {
  const TAGGED = "Title,ISBN,Tags\nHills,9780140328721,Private\n";

  it("are made only on request", async () => {
    const who = await loggedIn(service, "discreet");
    const preview = await uploadLibrary(who, "/account/import/goodreads", TAGGED);
    expect(await preview.json()).toMatchObject({ lists: [] });
    expect((await uploadLibrary(who, "/account/import", TAGGED)).status).toBe(202);
    await settleActivity();
    expect(await who.json("/account/import.json")).toMatchObject({ status: "done", imported: 1, lists: [] });
    expect(await service.json("/people/discreet/lists.json")).toMatchObject({ size: 0 });
  });

  it("are not requested by the forms of the page, unless people choose them", async () => {
    const who = await loggedIn(service, "discreet");
    const page = await who.fetch("/account/import", { headers: { Accept: "text/html" } });
    const html = await page.text();
    expect(html.match(/<input type="hidden" name="lists" value="no">/g)).toHaveLength(
      html.match(/action="\/account\/import\/goodreads"/g)?.length ?? 0,
    );
    const preview = await uploadLibrary(who, "/account/import/goodreads", TAGGED, {
      accept: "text/html",
      lists: "yes",
    });
    expect(await preview.text()).toContain('<option value="yes" selected>');
  });
});

describe("the own export", () => {
  it.each(["/account/export?type=library", "/account/export.json?type=library"])(
    "comes back whole: %s",
    async (path) => {
      const who = await loggedIn(service, "Tagger");
      const file = await (await who.fetch(path)).text();
      const other = await loggedIn(service, path.includes("json") ? "JsonCopy" : "CsvCopy");
      expect((await uploadLibrary(other, "/account/import", file, { lists: "yes" })).status).toBe(202);
      await settleActivity();
      expect(await other.json("/account/import.json")).toMatchObject({
        status: "done",
        imported: 2,
        missing: [],
      });
      const [rows, copies] = await Promise.all(
        [who, other].map((patron) => patron.json("/account/export.json?type=library")),
      );
      expect(copies).toEqual(rows);
    },
  );
});
