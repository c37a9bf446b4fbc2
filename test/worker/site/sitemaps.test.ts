import { beforeAll, describe, expect, it } from "vitest";
import { author, edition, work } from "../../support/worker/records.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();
const locations = async (path: string): Promise<string[]> => {
  const response = await service.fetch(path);
  expect(response.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
  return [...(await response.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, text = ""]) => text);
};
const path = (address: string): string => address.slice(ORIGIN.length);

const WORKS = [0, 1, 4999, 5000, 12_345, 40_000_001];

beforeAll(async () => {
  await service.load(
    ...WORKS.map((number) => work(number, {})),
    author(7),
    edition(1),
    { key: "/works/OL2W", type: "/type/delete" },
    { key: "/works/OL3W", type: "/type/redirect", location: "/works/OL1W" },
    { key: "/works/OL90000W", type: "/type/delete" },
    { key: "/libraries/x", type: "/type/library" },
  );
});

describe("sitemaps", () => {
  it("list every author and work once", async () => {
    const files = await locations("/sitemap.xml");
    expect(files.slice(0, 2)).toEqual([`${ORIGIN}/sitemaps/authors-0.xml`, `${ORIGIN}/sitemaps/works-0.xml`]);
    const all: string[] = [];
    for (const file of files) {
      if (file.endsWith("works-18.xml")) expect((await service.fetch(path(file))).status).toBe(404);
      else all.push(...(await locations(path(file))));
    }
    const keys = ["/authors/OL7A", ...WORKS.map((number) => `/works/OL${number}W`)];
    expect(all.map(path)).toEqual(keys);
    expect(files).toHaveLength(6);
  });

  it("have the date of the last change", async () => {
    expect(await (await service.fetch("/sitemaps/authors-0.xml")).text()).toContain(
      "<lastmod>2026-11-01</lastmod>",
    );
  });

  it.each(["works-1000", "books-0", "works-x", "works-", "works-9999999999", "works-999999999"])(
    "answer 404 for %s",
    async (name) => {
      expect((await service.fetch(`/sitemaps/${name}.xml`)).status).toBe(404);
    },
  );
});
