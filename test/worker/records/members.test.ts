import { beforeAll, describe, expect, it } from "vitest";
import { NO_COUNTS } from "../../../src/search/documents/types.ts";
import {
  author,
  authorKey,
  deleted,
  edition,
  editionKey,
  redirected,
  work,
  workKey,
} from "../../support/worker/records.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { documentOf, testService } from "../../support/worker/service.ts";
import { setWorkCounts } from "../../support/worker/work-counts.ts";

const service = testService();

interface Page {
  links: Record<string, string>;
  size: number;
  entries: { key: string }[];
}
const page = async (path: string): Promise<Page> => {
  const response = await service.fetch(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  return response.json<Page>();
};
const keysOf = ({ entries }: Page): string[] => entries.map(({ key }) => key);

// Loaded last first, numbers of one, two and three digits: the order must be that of the numbers.
const IDS = [120, 101, 100, 30, 21, 20, 12, 11, 10, 9, 3, 2, 1];
const ASCENDING = IDS.toReversed();

const OWNERS = [
  {
    name: "works of an author",
    path: "/authors/OL1A/works.json",
    link: "author",
    owner: authorKey(1),
    members: ASCENDING.map(workKey),
  },
  {
    name: "editions of a work",
    path: "/works/OL500W/editions.json",
    link: "work",
    owner: workKey(500),
    members: ASCENDING.map(editionKey),
  },
];

beforeAll(async () => {
  await service.load(author(1), author(2), work(500), work(501));
  for (const id of IDS) await service.load(work(id, { authors: [2, 1] }), edition(id, { work: 500 }));
  await service.load(
    work(40, { authors: [2] }),
    work(41, { authors: [1] }),
    work(42, { authors: [1] }),
    work(43, { authors: [1] }),
    edition(41, { work: 500 }),
    edition(42, { work: 500 }),
    edition(43, { work: 500 }),
    edition(50, { work: 501, authors: [{ key: authorKey(1) }] }),
    { key: "/series/OL1L", type: "/type/series", works: [{ key: workKey(500) }] },
  );
  await service.load(
    deleted(workKey(41), 2),
    redirected(workKey(42), workKey(40)),
    work(43, { revision: 2, authors: [2] }),
    deleted(editionKey(41), 2),
    redirected(editionKey(42), editionKey(50)),
    edition(43, { revision: 2, work: 501 }),
    deleted(authorKey(7), 1),
    redirected(authorKey(8), authorKey(1), 1),
    { key: authorKey(9), type: "/type/work", title: "Odd" },
    deleted(workKey(507), 1),
    redirected(workKey(508), workKey(500), 1),
    { key: workKey(509), type: "/type/edition", title: "Odd" },
  );
});

describe.each(OWNERS)("$name", ({ path, link, owner, members }) => {
  it("lists complete current records in ascending order of numbers", async () => {
    const all = await page(path);
    expect(all.size).toBe(members.length);
    expect(keysOf(all)).toEqual(members);
    expect(all.links).toEqual({ self: path, [link]: owner });
    expect(all.entries[0]).toEqual(await service.json(`${members[0]}.json`));
  });

  it.each([1, 5, 13, 14])("pages of %i are a partition of them", async (limit) => {
    const seen: string[] = [];
    let next: string | undefined = `${path}?limit=${limit}`;
    for (let turn = 0; next !== undefined && turn < 20; turn += 1) {
      const one: Page = await page(next);
      expect(one.size).toBe(members.length);
      expect(one.links["self"]).toBe(next);
      expect(one.entries.length).toBeLessThanOrEqual(limit);
      seen.push(...keysOf(one));
      next = one.links["next"];
    }
    expect(next).toBeUndefined();
    expect(seen).toEqual(members);
  });

  it("keeps other parameters in its links", async () => {
    const { links } = await page(`${path}?limit=2&offset=4&extra=a&extra=b`);
    expect(links).toEqual({
      self: `${path}?limit=2&offset=4&extra=a&extra=b`,
      [link]: owner,
      prev: `${path}?limit=2&offset=2&extra=a&extra=b`,
      next: `${path}?limit=2&offset=6&extra=a&extra=b`,
    });
  });

  it("has no next page after the last, and a previous one beyond it", async () => {
    const last = await page(`${path}?limit=3&offset=12`);
    expect(last.entries).toHaveLength(1);
    expect(last.links).not.toHaveProperty("next");
    const beyond = await page(`${path}?offset=1000000`);
    expect(beyond.entries).toEqual([]);
    expect(beyond.size).toBe(members.length);
    expect(beyond.links).not.toHaveProperty("next");
    expect(beyond.links).toHaveProperty("prev");
  });

  it("treats a limit of 0 as the default", async () => {
    const { entries, links } = await page(`${path}?limit=0`);
    expect(entries).toHaveLength(members.length);
    expect(links).toEqual({ self: `${path}?limit=0`, [link]: owner });
  });

  it.each([
    ["limit=1001", "less_than_equal", { le: 1000 }],
    ["limit=-1", "greater_than_equal", { ge: 0 }],
    ["offset=-1", "greater_than_equal", { ge: 0 }],
    ["limit=x", "int_parsing", undefined],
  ])("refuses %s", async (search, type, ctx) => {
    const response = await service.fetch(`${path}?${search}`);
    const [name, input] = search.split("=");
    expect(response.status).toBe(422);
    const { detail } = await response.json<{ detail: Record<string, unknown>[] }>();
    expect(detail).toHaveLength(1);
    expect(detail[0]).toMatchObject({ type, loc: ["query", name], input });
    expect(detail[0]!["ctx"]).toEqual(ctx);
  });
});

describe("owners without members", () => {
  it.each(
    [7, 9, 77].flatMap((id) => [`/authors/OL${id}A/works.json`, `/works/OL${500 + id}W/editions.json`]),
  )("%s: 404", async (path) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: "Not Found" });
  });

  it.each(["/authors/OL2A/editions.json", "/works/OL500W/works.json", "/books/OL1M/editions.json"])(
    "does not exist as %s",
    async (path) => {
      // Such a segment is decoration: the record itself is shown, or nothing.
      const response = await service.fetch(path);
      expect(await response.json()).not.toHaveProperty("entries");
    },
  );

  it("include authors without works", async () => {
    await service.load(author(60));
    expect(await service.json("/authors/OL60A/works.json")).toEqual({
      links: { self: "/authors/OL60A/works.json", author: "/authors/OL60A" },
      size: 0,
      entries: [],
    });
  });
});

it("member pages follow changes of members", async () => {
  await service.load(author(61), work(610, { authors: [61] }), work(611, { authors: [61] }));
  expect((await page("/authors/OL61A/works.json?now=1")).size).toBe(2);
  await service.load(work(610, { revision: 2, title: "Renamed", authors: [61] }), deleted(workKey(611), 2));
  const after = await page("/authors/OL61A/works.json?now=2");
  expect(after.size).toBe(1);
  expect(after.entries).toEqual([documentOf(work(610, { revision: 2, title: "Renamed", authors: [61] }))]);
  await service.load(work(611, { revision: 3, authors: [61] }));
  expect(keysOf(await page("/authors/OL61A/works.json?now=3"))).toEqual([workKey(610), workKey(611)]);
});

describe("editions of a work by date and language", () => {
  const DATED = [
    [701, "c1999", "eng"],
    [702, "平成3年", "jpn"],
    [703, "9999", "eng"],
    [704, "[1850?]", "ger"],
    [705, undefined, "eng"],
    [706, "1999", "ger"],
  ] as const;
  const of700 = (query: string) => page(`/works/OL700W/editions.json?${query}`);
  const numbersOf = (answer: Page) => keysOf(answer).map((key) => Number(/\d+/.exec(key)?.[0]));

  beforeAll(() =>
    service.load(
      work(700),
      ...DATED.map(([id, date, language]) =>
        edition(id, {
          work: 700,
          languages: [{ key: `/languages/${language}` }],
          ...(date !== undefined && { publish_date: date }),
        }),
      ),
    ),
  );

  it.each([
    ["sort=old", [704, 702, 701, 706, 703, 705]],
    ["sort=new", [701, 706, 702, 704, 703, 705]],
    ["sort=", [701, 702, 703, 704, 705, 706]],
    ["language=eng", [701, 703, 705]],
    ["language=de&language=Japanese&sort=new", [706, 702, 704]],
    ["published_in=1990-1999", [701, 702, 706]],
    ["published_in=1999&language=ger", [706]],
    ["language=lat", []],
  ])("selects by %s", async (query, numbers) => {
    const answer = await of700(query);
    expect([numbersOf(answer), answer.size]).toEqual([numbers, numbers.length]);
  });

  it("partitions the selection into pages", async () => {
    let path: string | undefined = "/works/OL700W/editions.json?sort=old&limit=4";
    const seen: number[] = [];
    while (path !== undefined) {
      const answer: Page = await page(path);
      seen.push(...numbersOf(answer));
      path = answer.links["next"];
    }
    expect(seen).toEqual([704, 702, 701, 706, 703, 705]);
  });

  it.each(["sort=title", "published_in=soon", "published_in=1990-"])("refuses %s", async (query) => {
    expect((await service.fetch(`/works/OL700W/editions.json?${query}`)).status).toBe(422);
  });

  it("returns 404 for an unknown work", async () => {
    expect((await service.fetch("/works/OL799W/editions.json?sort=old")).status).toBe(404);
  });
});

describe("works of an author in order", () => {
  beforeAll(async () => {
    await service.load(
      author(800),
      work(801, { title: "Beta", authors: [800] }),
      work(802, { title: "Alpha", authors: [800] }),
      work(803, { title: "Gamma", authors: [800] }),
      edition(801, { work: 801, publish_date: "1950" }),
      edition(802, { work: 802, publish_date: "2001" }),
      edition(803, { work: 803, publish_date: "1900" }),
      edition(804, { work: 803, publish_date: "1910" }),
      edition(805, { title: "Orphan", authors: [{ key: authorKey(800) }] }),
    );
    await setWorkCounts([{ workId: 801, counts: { ...NO_COUNTS, ratings: [0, 0, 0, 0, 20] } }]);
    await indexAll();
  });

  it.each([
    ["new", [802, 801, 803]],
    ["old", [803, 801, 802]],
    ["editions", [803, 801, 802]],
    ["title", [802, 801, 803]],
    ["rating", [801, 802, 803]],
  ])("sorts by %s", async (sort, numbers) => {
    const first = await page(`/authors/OL800A/works.json?sort=${sort}&limit=2`);
    const second = await page(first.links["next"] ?? "");
    expect([...keysOf(first), ...keysOf(second)]).toEqual(numbers.map(workKey));
    // The index also has the edition without a work.
    expect([first.size, second.links["next"]]).toEqual([3, undefined]);
  });

  it("refuses other orders, and unknown authors", async () => {
    expect((await service.fetch("/authors/OL800A/works.json?sort=random")).status).toBe(422);
    expect((await service.fetch("/authors/OL899A/works.json?sort=new")).status).toBe(404);
  });
});
