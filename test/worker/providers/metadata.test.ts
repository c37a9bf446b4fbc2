import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, language, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ BASE_URL: "https://books.example" });

beforeAll(async () => {
  await service.load(
    author(1, { name: "Jane Doe" }),
    author(2, { name: "Ann Roe" }),
    language("eng", "English"),
    { key: "/series/OL1L", type: "/type/series", name: "Waters" },
    work(1, {
      authors: [1, 2],
      title: "Slow rivers",
      description: "Of the work",
      subjects: ["Rivers"],
      subject_places: ["Delta"],
      covers: [-1, 9],
      series: [{ series: { key: "/series/OL1L" }, position: "2" }],
    }),
    edition(1, {
      work: 1,
      title: "Slow rivers",
      subtitle: "a novel",
      isbn_13: ["9780451526533"],
      isbn_10: ["0451526538"],
      publishers: ["Doe & Sons"],
      publish_date: "May 1999",
      number_of_pages: 120,
      physical_format: "Audio CD",
      languages: [{ key: "/languages/eng" }],
      genres: ["Fiction"],
      series: ["Waters, #2"],
      covers: [7],
      identifiers: { amazon: ["B000FA5ZXY"] },
      contributors: [{ role: "Narrator", name: "Tilda Voice" }],
    }),
    edition(3, { work: 1, title: "Slow rivers", publish_date: "2020" }),
    work(2, { title: "Slow lakes", authors: [2] }),
    edition(2, { work: 2, title: "Slow lakes" }),
    redirected("/works/OL3W", "/works/OL1W"),
  );
  await indexAll();
});

describe("GET /providers/audiobookshelf/search", () => {
  const search = async (query: Record<string, string>) => {
    // As server/providers/CustomProviderAdapter.js of audiobookshelf makes the request.
    const text = new URLSearchParams({ mediaType: "book", ...query }).toString();
    const headers = { Authorization: "any" };
    const response = await service.fetch(`/providers/audiobookshelf/search?${text}`, { headers });
    expect(response.status).toBe(200);
    return ((await response.json()) as { matches: Record<string, unknown>[] }).matches;
  };

  it("has all members of a match, and leaves out absent ones", async () => {
    expect(await search({ query: "Slow rivers", author: "Jane Doe" })).toEqual([
      {
        title: "Slow rivers",
        subtitle: "a novel",
        author: "Jane Doe, Ann Roe",
        narrator: "Tilda Voice",
        publisher: "Doe & Sons",
        publishedYear: "1999",
        description: "Of the work",
        cover: "https://books.example/b/id/7-L.jpg",
        isbn: "9780451526533",
        asin: "B000FA5ZXY",
        genres: ["Fiction"],
        tags: ["Rivers"],
        series: [{ series: "Waters", sequence: "2" }],
        language: "en",
      },
    ]);
    expect(await search({ query: "slow lakes" })).toEqual([{ title: "Slow lakes", author: "Ann Roe" }]);
  });

  it.each([
    [{ query: "other", isbn: "0-451-52653-8" }, ["Slow rivers"]],
    [{ query: "slow lakes", isbn: "9780141439518" }, ["Slow lakes"]],
    [{ query: "Jane Doe rivers" }, ["Slow rivers"]],
    [{ query: "nothing of this kind" }, []],
    [{ query: "", author: "Jane Doe" }, ["Slow rivers"]],
    [{ query: "slow rivers", mediaType: "podcast" }, []],
  ])("%o finds %o", async (query, titles) => {
    expect((await search(query)).map(({ title }) => title)).toEqual(titles);
  });
});

describe("/providers/booklogr", () => {
  const base = "/providers/booklogr/v1";

  it("searches editions with an ISBN", async () => {
    // As api/book_provider.py of booklogr makes the request.
    const response = await service.fetch(`${base}/search/slow%20rivers?limit=10&sort=relevance`);
    expect(await response.json()).toEqual([
      {
        title: "Slow rivers",
        isbn_10: ["0451526538"],
        isbn_13: ["9780451526533"],
        publish_date: "May 1999",
        author_names: ["Jane Doe", "Ann Roe"],
        languages: ["eng"],
      },
    ]);
  });

  it("returns an edition and its work, whose id a client takes from it", async () => {
    const found = (await service.json(`${base}/edition/9780451526533`)) as Record<string, unknown>;
    expect(found).toMatchObject({
      ol_id: "OL1M",
      title: "Slow rivers",
      subtitle: "a novel",
      author_names: ["Jane Doe", "Ann Roe"],
      author_ids: ["/authors/OL1A", "/authors/OL2A"],
      work_ids: ["/works/OL1W"],
      number_of_pages: 120,
      publish_year: 1999,
      physical_format: "Audio CD",
    });
    expect(await service.json(`${base}/work/OL1W`)).toEqual({
      ol_id: "OL1W",
      title: "Slow rivers",
      description: "Of the work",
      authors: ["/authors/OL1A", "/authors/OL2A"],
      subjects: ["Rivers"],
      subject_people: [],
      subject_places: ["Delta"],
      covers: [9],
      series: ["/series/OL1L"],
    });
    expect(await service.json(`${base}/work/OL3W`)).toMatchObject({ ol_id: "OL1W" });
  });

  it.each([
    ["/search/9780451526533", 200, undefined],
    ["/search/slow/rivers", 200, undefined],
    ["/search/slow?lang=fre", 404, "Not found"],
    // The only edition has no ISBN, which the contract requires.
    ["/search/slow%20lakes", 404, "Not found"],
    ["/search/slow?sort=random", 422, undefined],
    ["/search/slow?limit=101", 422, undefined],
    ["/edition/OL2M", 200, undefined],
    ["/edition/9780141439518", 404, "Edition 9780141439518 not found"],
    ["/edition/word", 404, "Edition word not found"],
    ["/work/OL9W", 404, "Work OL9W not found"],
  ])("%s is answered with %i", async (path, status, message) => {
    const response = await service.fetch(base + path);
    expect(response.status).toBe(status);
    if (message !== undefined) expect(await response.json()).toEqual({ message });
  });
});
