import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { putTerms } from "../../support/worker/lending.ts";
import { author, edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ BASE_URL: "https://books.example" });

interface Named {
  metadata: { title: string; numberOfItems?: number };
  links: { rel?: string; href: string; title?: string }[];
}

const feed = async (path: string): Promise<Named & { publications?: Named[]; facets?: Named[] }> => {
  const response = await service.fetch(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
};

beforeAll(async () => {
  // Before the records: the index queue may follow a load at once.
  await putTerms("open00rivers", { collections: ["texts"] });
  await putTerms("lent00rivers", { collections: ["inlibrary"] });
  await service.load(
    author(1, { name: "Jane Doe" }),
    language("eng", "English"),
    work(1, { authors: [1], title: "Open rivers" }),
    edition(1, {
      work: 1,
      ocaid: "open00rivers",
      languages: [{ key: "/languages/eng" }],
      title: "Open rivers",
    }),
    work(2, { authors: [1], title: "Lent rivers" }),
    edition(2, { work: 2, title: "Lent rivers", ocaid: "lent00rivers" }),
    work(3, { title: "Sold rivers" }),
    edition(3, {
      work: 3,
      title: "Sold rivers",
      providers: [
        { url: "https://shop.example/3.epub", access: "open-access", format: "epub" },
        { url: "https://shop.example/3", access: "buy", price: "5.00 USD" },
      ],
    }),
    work(4, { title: "Rivers without readers" }),
    edition(4, { work: 4, title: "Rivers without readers" }),
    work(5, { title: "A recording" }),
    edition(5, { work: 5, title: "A recording", identifiers: { librivox: ["12"] } }),
  );
  await indexAll();
});

describe("the paths of Open Library's catalog (Q836)", () => {
  it.each([
    ["/opds/search?query=rivers&sort=title&limit=2", "Search Results", ["Lent rivers", "Open rivers"], 3],
    ["/opds/search?query=rivers&sort=title&limit=2&page=2", "Search Results", ["Sold rivers"], 3],
    ["/opds/search?query=author_key:OL1A&mode=open_access&title=Hers", "Hers", ["Open rivers"], 1],
    ["/opds/search?mode=buyable", "Search Results", ["Sold rivers"], undefined],
    ["/opds/search?language=en&media_type=ebook", "Search Results", ["Open rivers"], 1],
    ["/opds/search?media_type=audiobook", "Search Results", ["A recording"], 1],
    ["/opds/search?access=print_disabled", "Search Results", [], 0],
    ["/opds/authors/OL1A?sort=title", "Jane Doe", ["Lent rivers", "Open rivers"], 2],
    ["/opds/authors/OL1A?mode=open_access&page=1", "Jane Doe", ["Open rivers"], 1],
    ["/opds/works/OL3W", "Sold rivers", ["Sold rivers"], 1],
    ["/opds/works/OL4W", "Rivers without readers", [], 0],
  ])("%s is a feed of OPDS 2.0", async (path, title, books, count) => {
    const { metadata, publications = [] } = await feed(path);
    expect([metadata.title, publications.map((book) => book.metadata.title)]).toEqual([title, books]);
    if (count !== undefined) expect(metadata.numberOfItems).toBe(count);
  });

  it("has facets and pages with the parameters of the request", async () => {
    const { facets = [], links } = await feed("/opds/search?query=rivers&mode=ebooks&title=T&limit=1&page=2");
    const base = "https://books.example/opds/search.json?query=rivers";
    expect(links.filter(({ rel }) => rel === "next" || rel === "previous").map(({ href }) => href)).toEqual([
      `${base}&mode=ebooks&title=T&limit=1`,
      `${base}&mode=ebooks&title=T&limit=1&page=3`,
    ]);
    expect(facets.map(({ metadata: { title } }) => title).slice(0, 3)).toEqual([
      "Availability",
      "Media Type",
      "Access",
    ]);
    expect(facets[0]?.links[1]).toMatchObject({ title: "Available to Borrow", rel: "self" });
    expect(facets[0]?.links[2]?.href).toBe(`${base}&title=T&limit=1&mode=open_access`);
  });

  it.each([
    ["/opds/search?limit=101", {}, 422],
    ["/opds/search?mode=some", {}, 422],
    ["/opds/works/OL4W?page=0", {}, 422],
    ["/opds/authors/OL99A", {}, 404],
    ["/opds/works/OL99W", {}, 404],
    ["/opds/search?query=sold", { Accept: "application/atom+xml" }, 200],
  ])("%s with %o is answered with %i in the format of the client", async (path, headers, status) => {
    const response = await service.fetch(path, { headers: { ...headers } });
    const type = response.headers.get("Content-Type");
    const expected = status === 200 ? /^application\/atom\+xml/ : /^application\/problem\+json/;
    expect([response.status, type]).toEqual([status, expect.stringMatching(expected)]);
  });
});
