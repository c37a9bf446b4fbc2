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

describe(`${WRITERS} loads at the same time`, () => {
  it("of overlapping records end in the right state, every revision once", async () => {
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
    // Whatever none of them had.
    await service.load(...history);

    expect(await revisionsOf(service, keys)).toEqual(expected[0]);
    expect(await indexRows()).toEqual(expected[1]);
    expect(await sequences()).toEqual(expected[2]);
  });

  it("of the same records store them once", async () => {
    const records = [1, 2, 3].flatMap((id) => [work(id, at(1)), work(id, { revision: 2, ...at(2) })]);
    const answers = await Promise.all(Array.from({ length: WRITERS }, () => service.load(...records)));
    const totals = answers.map(({ created, updated, unchanged }) => [created, updated, unchanged]);
    expect(totals.filter(([created]) => created! > 0)).toEqual([[3, 3, 0]]);
    expect(totals.filter(([, , unchanged]) => unchanged === records.length)).toHaveLength(WRITERS - 1);
    for (const id of [1, 2, 3]) expect(await service.json(`/works/OL${id}W.json?m=history`)).toHaveLength(2);
  });

  it("of new keys without a number give each a number of its own", async () => {
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

  it("of one record's revisions end with the highest, whichever came last", async () => {
    const revisions = Array.from({ length: WRITERS }, (_, index) =>
      work(1, { revision: index + 1, ...at(index + 1), title: `Title ${index + 1}` }),
    );
    const answers = await Promise.all(
      randomFrom(5)
        .shuffled(revisions)
        .map((record) => send(service, [record])),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    expect(await service.json("/works/OL1W.json")).toEqual(documentOf(revisions.at(-1)!));
    const history: { revision: number }[] = Object(
      await service.json("/works/OL1W.json?m=history&limit=100"),
    );
    expect(history.map(({ revision }) => revision)).toEqual(
      revisions.map(({ revision }) => revision).toReversed(),
    );
    expect((await indexRows()).map((row) => JSON.parse(row).value)).toEqual([`title${WRITERS}`]);
  });
});
