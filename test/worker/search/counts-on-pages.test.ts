import { beforeAll, describe, expect, it } from "vitest";
import { subjectKeyOf } from "../../../src/search/documents/subject-key.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { mainOf } from "../../support/worker/page-text.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const WORKS = 60;
/** Longer than a key in KV. */
const LONG = `Sea ${"ü".repeat(300)}`;

beforeAll(async () => {
  service.now -= service.now % 60_000;
  await service.load(
    author(1),
    { key: "/tags/OL1T", type: "/type/tag", name: LONG, tag_type: "subject" },
    ...Array.from({ length: WORKS }, (_, at) =>
      work(1 + at, {
        authors: [1],
        title: `Sea ${at}`,
        subjects: ["Sea", LONG],
        subject_places: ["Wales"],
        subject_people: ["Ann"],
      }),
    ),
    ...Array.from({ length: WORKS }, (_, at) =>
      edition(1 + at, { work: 1 + at, publish_date: String(1901 + (at % 30)) }),
    ),
  );
  await indexAll();
});

const mainAt = async (path: string): Promise<string> => {
  const response = await service.fetch(path, { headers: { Accept: "text/html" } });
  expect([path, response.status]).toEqual([path, 200]);
  return mainOf(await response.text());
};

describe("counts on pages", () => {
  it.each([
    ["/search?q=sea", ["People", "Places"]],
    ["/subjects/sea", ["People", "Places", "<span>1901</span><span>1930</span>"]],
    ["/subjects/place:wales", ["People"]],
    ["/subjects/person:ann", ["Places"]],
    ["/explore", ["People", "Places"]],
    ["/authors/OL1A/Author_1", []],
    ["/authors/OL1A/Author_1?page=2", []],
    ["/trending/now", []],
    ["/trending/yearly", []],
    ["/subjects", ["People", "Places"]],
    ["/publishers", []],
    ["/languages", []],
    ["/stats", []],
    ["/", []],
  ])("have their time, just counted or cached: %s", async (path, parts) => {
    const first = await mainAt(path);
    expect(first).toMatch(/Updated <time datetime="/);
    for (const part of parts) expect(first).toContain(part);
    service.now += 30_000;
    expect(await mainAt(path)).toBe(first);
    service.now -= 30_000;
  });

  it.each(["", "?page=2"])("show the years of all works of an author: %s", async (query) => {
    expect(await mainAt(`/authors/OL1A/Author_1${query}`)).toContain(
      "<span>1901</span><span>1930</span></figcaption>",
    );
  });

  it("lead to the tag of a subject whose name is longer than a key of the cache", async () => {
    const path = `/subjects/${encodeURIComponent(subjectKeyOf(LONG))}`;
    const first = await mainAt(path);
    expect(first).toContain('<a href="/tags/OL1T">');
    expect(await mainAt(path)).toBe(first);
  });
});
