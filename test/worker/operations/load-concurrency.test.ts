import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { randomFrom } from "../../support/worker/random.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { type TestRecord, documentOf, dumpLine, testService } from "../../support/worker/service.ts";
import { emptyStores, indexRows, revisionsOf, sequences } from "../../support/worker/stored.ts";

// Many writers at once; how long that takes says nothing.
const WRITERS = 10;
const service = testService();
beforeEach(emptyStores);

const at = (second: number): { modified: string } => ({
  modified: `2026-11-02T00:00:${String(second).padStart(2, "0")}.000000`,
});
const send = (isolate: typeof service, records: readonly TestRecord[]): Promise<Response> =>
  isolate.loadText(records.map(dumpLine).join("\n"));

describe("concurrent loads", () => {
  it("of overlapping records converge, every revision once", async () => {
    const random = randomFrom(1);
    const history = [1, 2, 3, 4].flatMap((id) =>
      [1, 2, 3, 4, 5].flatMap((revision) => [
        work(id, {
          revision,
          ...at(revision),
          title: `Work ${id} ${revision}`,
          authors: [1 + (revision % 2)],
        }),
        edition(id, {
          revision,
          ...at(revision),
          work: 1 + (revision % 4),
          isbn_10: [`04515265${id}${revision}`],
        }),
        { key: `/help/${id}`, type: "/type/page", title: `Help ${revision}`, revision, ...at(revision) },
      ]),
    );
    const keys = [...new Set(history.map(({ key }) => key))];
    await service.load(author(1), author(2), ...history);
    const expected = [await revisionsOf(service, keys), await indexRows(), await sequences()];
    await emptyStores();
    await service.load(author(1), author(2));

    const loads = Array.from({ length: WRITERS }, () => random.shuffled(history).slice(0, 25));
    const isolates = [testService(), testService(), testService()];
    const answers = await Promise.all(loads.map((records, index) => send(isolates[index % 3]!, records)));
    for (const answer of answers) expect(answer.status).toBe(200);
    // Rows that none of them had.
    await service.load(...history);

    expect(await revisionsOf(service, keys)).toEqual(expected[0]);
    expect(await indexRows()).toEqual(expected[1]);
    expect(await sequences()).toEqual(expected[2]);
  });

  it("of new keys give each its own number", async () => {
    const pages = Array.from({ length: WRITERS }, (_, index) => ({
      key: `/help/${index}`,
      type: "/type/page",
    }));
    const answers = await Promise.all(pages.map((page) => send(service, [page])));
    for (const answer of answers) expect(answer.status).toBe(200);
    for (const page of pages) expect(await service.json(`${page.key}.json`)).toEqual(documentOf(page));
    const ids = await env.CATALOG.prepare("SELECT count(DISTINCT id) AS ids FROM record").first<{
      ids: number;
    }>();
    expect(ids?.ids).toBe(WRITERS);
  });
});
