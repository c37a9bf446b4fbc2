import { beforeAll, describe, expect, it } from "vitest";
import { saved } from "../../support/worker/desk.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

async function edit(author: string, kind: string, day: string, bot = false): Promise<void> {
  const writer = { author, bot, ip: null, authority: "service" } as const;
  const documents = [{ key: "/works/OL1W", type: { key: "/type/work" }, title: `On ${day}` }];
  await saved(documents, { writer, kind, now: `${day}T12:00:00.000000` });
}

beforeAll(async () => {
  service.now = Date.parse("2026-09-30T23:59:59Z");
  await service.load(work(1, { modified: "2026-09-30T23:59:59.000000" }));
  await edit("/people/jane", "edit-book", "2026-10-01");
  await edit("/people/robot", "update", "2026-10-31", true);
  await edit("/people/jane", "undo", "2026-11-02");
});

async function read(narrowed: string): Promise<string> {
  const response = await service.fetch(`/works/OL1W?m=history${narrowed}`, {
    headers: { Accept: "text/html" },
  });
  expect([response.status, response.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  return response.text();
}

describe("the history page of a record", () => {
  it.each([
    ["", [4, 3, 2, 1]],
    ["&author=jane", [4, 2]],
    ["&author=/people/jane&kind=undo&begin=", [4]],
    // Q127
    ["&kind=default-update", [3]],
    ["&kind=merge-works", []],
    // A load counts as a bot's.
    ["&bot=true", [3, 1]],
    ["&bot=false", [4, 2]],
    ["&begin=2026-10-01&end=2026-10-31", [3, 2]],
    ["&end=2026-10-01&bot=false&kind=edit-book", [2]],
  ])("filters by '%s'", async (narrowed, revisions) => {
    const text = await read(narrowed);
    const shown = [...text.matchAll(/<th scope="row"><a href="\/works\/OL1W\?v=(\d+)"/g)];
    expect(shown.map(([, revision]) => Number(revision))).toEqual(revisions);
    expect(text.includes("No changes match.")).toBe(revisions.length === 0);
  });

  it("keeps the filters in form, tabs and page links", async () => {
    const text = await read("&author=jane&page=2");
    expect(text).toMatch(/<form action="\/works\/OL1W"[^>]*><input type="hidden" name="m" value="history">/);
    expect(text).toContain('name="author" value="jane"');
    expect(text).toContain('href="/works/OL1W?m=history&amp;author=jane&amp;bot=true"');
    expect(text).toContain('href="/works/OL1W?m=history&amp;author=jane&amp;page=1"');
  });

  it("ignores the filters as JSON", async () => {
    const path = "/works/OL1W.json?m=history";
    expect(await service.json(`${path}&kind=undo&bot=true&begin=2026-11-01`)).toEqual(
      await service.json(path),
    );
  });
});
