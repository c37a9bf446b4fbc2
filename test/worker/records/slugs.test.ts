import { beforeAll, describe, expect, it } from "vitest";
import { author, deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

beforeAll(async () => {
  const list = { type: "/type/list", name: "To read / soon" };
  await service.load(
    edition(1, { title: "Harry Potter & the stone" }),
    edition(2, { title: "???" }),
    edition(3, { title: undefined }),
    edition(4, { title: "Hobbit", title_prefix: "The" }),
    edition(5, { title: "Émile, ou De l'éducation (1762)!" }),
    edition(6, { title: "x".repeat(150) }),
    work(1, { title: "War & peace" }),
    work(2, { title: undefined }),
    author(1, { name: "Mark Twain" }),
    author(2, { name: undefined }),
    author(3, { name: "" }),
    author(4, { name: "works" }),
    work(3, { title: "<>." }),
    work(4, { title: ".." }),
    work(5, { title: "editions" }),
    edition(9, { title: "edit" }),
    edition(10, { title: "package.json" }),
    { key: "/lists/OL4L", ...list, name: "seeds" },
    { key: "/people/jane/lists/OL1L", ...list },
    { key: "/lists/OL2L", ...list, name: undefined },
    { key: "/series/OL3L", type: "/type/series", name: "Discworld" },
    { key: "/tags/OL1T", type: "/type/tag" },
    { key: "/people/jane", type: "/type/user", displayname: "Jane" },
    { key: "/works/OL6W", type: "/type/author", name: "Odd one" },
    language("eng", "English"),
    redirected("/works/OL7W", "/works/OL1W", 1),
    redirected("/authors/OL7A", "//elsewhere.example/x", 1),
    redirected("/authors/OL8A", "http://elsewhere.example/x", 1),
    redirected("/authors/OL9A", "/\\elsewhere.example", 1),
    deleted("/books/OL8M", 1),
  );
});

/** Status and target of an answer. */
const leads = async (path: string, init?: RequestInit): Promise<string> => {
  const response = await service.fetch(path, init);
  const location = response.headers.get("Location");
  return location === null ? String(response.status) : `${response.status} ${location}`;
};

describe("the readable address", () => {
  it.each([
    ["/books/OL1M", "301 /books/OL1M/Harry_Potter_the_stone"],
    ["/books/OL1M/x/edit", "301 /books/OL1M/Harry_Potter_the_stone/edit"],
    ["/books/OL1M?v=1&x=%20", "301 /books/OL1M/Harry_Potter_the_stone?v=1&x=%20"],
    ["/books/OL2M/x/edit", "301 /books/OL2M/-/edit"],
    ["/books/OL3M", "301 /books/OL3M/untitled"],
    ["/books/OL5M", "301 /books/OL5M/%C3%89mile_ou_De_l%27%C3%A9ducation_%281762%29%21"],
    ["/works/OL1W", "301 /works/OL1W/War_peace"],
    ["/authors/OL1A", "301 /authors/OL1A/Mark_Twain"],
    ["/authors/OL3A", "301 /authors/OL3A/noname"],
    ["/people/jane/lists/OL1L", "301 /people/jane/lists/OL1L/To_read_soon"],
    ["/series/OL3L", "301 /series/OL3L/Discworld"],
    ["/people/jane", "200"],
  ])("%s: %s", async (path, expected) => {
    expect(await leads(path)).toBe(expected);
  });
});

describe("a name that is the address of another page (Q670)", () => {
  it.each([
    ["/works/OL3W", "/works/OL3W/._"],
    ["/works/OL4W", "/works/OL4W/.._"],
    ["/works/OL5W", "/works/OL5W/editions_"],
    ["/books/OL9M", "/books/OL9M/edit_"],
    ["/books/OL10M", "/books/OL10M/package.json_"],
    ["/authors/OL4A", "/authors/OL4A/works_"],
    ["/lists/OL4L", "/lists/OL4L/seeds_"],
  ])("%s has its page at %s", async (path, address) => {
    const headers = { Accept: "text/html" };
    expect(await leads(path, { headers })).toBe(`301 ${address}`);
    expect(await leads(address, { headers })).toBe("200");
  });
});

describe("redirected, deleted and mistyped records", () => {
  it.each([
    ["/works/OL7W", "301 /works/OL1W"],
    ["/works/OL7W/old_title?x=1", "301 /works/OL1W?x=1"],
    ["/books/OL8M", "404"],
    ["/books/OL99M", "404"],
    ["/works/OL6W", "200"],
    ["/works/OL6W/anything", "301 /works/OL6W"],
  ])("%s: %s", async (path, expected) => {
    expect(await leads(path)).toBe(expected);
  });

  it.each(["/authors/OL7A", "/authors/OL8A", "/authors/OL9A"])(
    "never redirect to another site: %s",
    async (key) => {
      expect(await leads(key)).toBe("404");
    },
  );
});

describe("records under another key", () => {
  it.each([
    ["/works/OL1M.json", "301 /books/OL1M.json"],
    ["/a/OL1A.json", "301 /authors/OL1A.json"],
    ["/b/OL1M/x.json", "301 /books/OL1M.json"],
    ["/b/OL1M/isbn.json?v=1", "301 /books/OL1M.json?v=1"],
    ["/b/OL99M/x.json", "404"],
    ["/works/OL1M", "301 /books/OL1M"],
    ["/b/OL1M", "301 /books/OL1M"],
    ["/authors/OL1W", "301 /works/OL1W"],
    ["/l/eng", "303 /languages/eng"],
    ["/user/jane", "303 /people/jane"],
    ["/l/xyz", "404"],
    ["/user/nobody", "404"],
  ])("%s: %s", async (path, expected) => {
    expect(await leads(path)).toBe(expected);
  });

  it("keep the format of Accept", async () => {
    const init = { headers: { Accept: "application/json" } };
    expect(await leads("/works/OL1M", init)).toBe("301 /books/OL1M");
  });
});

describe("paths with a suffix", () => {
  it.each([
    "/books/OL1M/wrong.json",
    "/books/OL1M/Harry_Potter_the_stone.json",
    "/authors/OL1A/x.rdf",
    "/people/jane/lists/OL1L/any.yml",
  ])("%s is not corrected", async (path) => {
    expect(await leads(path)).toBe("200");
  });

  it("refuse further segments", async () => {
    expect(await leads("/books/OL1M/title/more.json")).toBe("404");
  });
});
