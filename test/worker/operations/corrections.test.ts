import { describe, expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const key = (number: number) => `/works/OL${number}W`;
const EARLIER = "2020-01-01T00:00:00.000000";
const LATER = "2021-01-01T00:00:00.000000";

const work = (number: number, revision: number, title: string, modified = EARLIER) => ({
  key: key(number),
  type: "/type/work",
  revision,
  title,
  modified,
});
describe("loading dumps", () => {
  it("Q24: replaces a corrected revision under the same entity tag", async () => {
    await service.load(work(1, 1, "Wrnog"));
    const before = (await service.fetch(`${key(1)}.json`)).headers.get("ETag");
    expect(await service.load(work(1, 1, "Right", LATER))).toMatchObject({ created: 0, updated: 1, kept: 0 });
    const after = await service.fetch(`${key(1)}.json`);
    expect(Object(await after.json())["title"]).toBe("Right");
    expect(after.headers.get("ETag")).toBe(before);
    expect(await service.json(`/query.json?type=/type/work&title=Wrnog`)).toEqual([]);
  });
});

describe("old documents", () => {
  it("that name authors by /a/ are found under /authors/", async () => {
    await service.load(
      { key: "/authors/OL5A", type: "/type/author", name: "Author" },
      { key: "/works/OL5W", type: "/type/work", title: "Old", authors: [{ author: { key: "/a/OL5A" } }] },
      {
        key: "/books/OL5M",
        type: "/type/edition",
        title: "Old",
        works: [{ key: "/works/OL5W" }],
        isbn_10: ["0451526538"],
      },
    );
    expect(await service.json("/authors/OL5A/works.json")).toMatchObject({
      size: 1,
      entries: [{ key: "/works/OL5W" }],
    });
    expect(await service.json("/api/books.json?bibkeys=0451526538&jscmd=data")).toMatchObject({
      "0451526538": { authors: [{ name: "Author" }] },
    });
  });
});
