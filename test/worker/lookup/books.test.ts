import { beforeAll, describe, expect, it } from "vitest";
import { ACCEPTANCE } from "../../support/worker/acceptance.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();

const fetchKeys = (keys: string, more = "", suffix = ".json"): Promise<Response> =>
  service.fetch(`/api/books${suffix}?bibkeys=${encodeURIComponent(keys)}${more}`);
const books = async (keys: string, more = ""): Promise<Record<string, Record<string, unknown>>> => {
  const response = await fetchKeys(keys, more);
  expect(response.status).toBe(200);
  return response.json();
};
/** Names of the entries in the order in which they stand in the text. */
const order = async (keys: string): Promise<string[]> => {
  const text = await (await fetchKeys(keys)).text();
  return [...text.matchAll(/"bib_key":"((?:[^"\\]|\\.)*)"/g)].map(([, key = ""]) => JSON.parse(`"${key}"`));
};

beforeAll(async () => {
  await addItem("foo00bar", ["inlibrary"]);
  await service.load(
    ...ACCEPTANCE,
    edition(2, { title: "Kindle", identifiers: { amazon: ["B000FC1PJI"], goodreads: [" 777 "] } }),
    edition(3, { title: "Number", isbn_10: ["1841151866"] }),
    edition(30, { title: "Same number, later", isbn_13: ["9781841151861"] }),
    edition(4, { title: "From a scan", source_records: ["ia:bar00foo"], covers: [null, 0] }),
    edition(5, { title: "Old", isbn_10: ["0451526538"] }),
    redirected("/books/OL6M", "/books/OL7M", 1),
    redirected("/books/OL7M", "/books/OL1M", 1),
    redirected("/books/OL8M", "/books/OL8M", 1),
    redirected("/books/OL9M", "/books/OL999M", 1),
    edition(10, { title: "Gone", isbn_10: ["080442957X"] }),
    edition(11, { title: "Moved", lccn: ["94200274"] }),
    edition(12, { title: "Bad check digit", isbn_10: ["0590353427"], covers: [5, 6] }),
    edition(13, { title: "Unreadable", lccn: ["Not An LCCN"], oclc_numbers: ["x1"] }),
    edition(14, { revision: 1, title: "First" }),
    edition(14, { revision: 2, title: "Second" }),
  );
  await service.load(
    edition(5, { revision: 2, title: "New", isbn_10: ["9780451526533"] }),
    deleted("/books/OL10M", 2),
    redirected("/books/OL11M", "/books/OL1M"),
  );
});

describe("acceptance vectors", () => {
  const SPELLINGS = [
    "ISBN:9780140328721",
    "isbn 0140328726",
    "0140328726",
    "LCCN:sa64-9056",
    "OCLC:12345",
    "OLID:ol1m",
    "OCAID:foo00bar",
  ];

  it("returns seven spellings of one edition as seven entries, in request order", async () => {
    const found = await books([...SPELLINGS, "ISBN:999"].join(","));
    expect(await order([...SPELLINGS, "ISBN:999"].join(","))).toEqual(SPELLINGS);
    expect(found).toEqual(
      Object.fromEntries(
        SPELLINGS.map((spelling) => [
          spelling,
          {
            bib_key: spelling,
            info_url: `${ORIGIN}/books/OL1M/Foo_a_bar_(2nd_ed.)`,
            preview: "borrow",
            preview_url: "https://archive.org/details/foo00bar",
            thumbnail_url: `${ORIGIN}/b/id/7-S.jpg`,
          },
        ]),
      ),
    );
  });

  it("returns the data of a borrowable scan", async () => {
    const { OL1M } = await books("OL1M", "&jscmd=data");
    expect(OL1M).toEqual({
      url: `${ORIGIN}/books/OL1M/Foo_a_bar_(2nd_ed.)`,
      key: "/books/OL1M",
      title: "Foo: a bar? (2nd ed.)",
      authors: [{ url: `${ORIGIN}/authors/OL1A/Mark_Twain`, name: "Mark Twain" }],
      identifiers: {
        isbn_10: ["0-14-032872-6"],
        lccn: ["sa 64009056"],
        oclc: ["ocm00012345"],
        openlibrary: ["OL1M"],
      },
      subjects: [
        { name: "In library", url: `${ORIGIN}/subjects/in_library` },
        { name: "Science Fiction", url: `${ORIGIN}/subjects/science_fiction` },
      ],
      subject_people: [{ name: "Ned, Wilcox", url: `${ORIGIN}/subjects/person:ned,_wilcox` }],
      cover: {
        small: `${ORIGIN}/b/id/7-S.jpg`,
        medium: `${ORIGIN}/b/id/7-M.jpg`,
        large: `${ORIGIN}/b/id/7-L.jpg`,
      },
      ebooks: [
        {
          preview_url: "https://archive.org/details/foo00bar",
          availability: "borrow",
          formats: {},
          borrow_url: `${ORIGIN}/books/OL1M/Foo_a_bar_(2nd_ed.)/borrow`,
          checkedout: false,
        },
      ],
    });
  });
});

describe("bib keys", () => {
  it.each([
    ["ISBN:0-14-032872-6", 1],
    ["ISBN:0590353427", 12],
    ["ISBN:0451526538", 5],
    ["LCCN:sa 64009056", 1],
    ["OCAID:foo00bar", 1],
    ["OCAID:FOO00BAR", undefined],
    ["OCAID:bar00foo", 4],
    ["OLID:OL1M", 1],
    ["B000FC1PJI", 2],
    ["1841151866", 3],
    ["OL1W", undefined],
    ["ID:1", undefined],
    ["ISBN:X123456789", undefined],
    ["__proto__", undefined],
    ["OLID:OL99M", undefined],
  ])("%s", async (key, id) => {
    const found = await books(key);
    const urls = Object.values(found).map((entry) => /OL\d+M/.exec(String(entry["info_url"]))?.[0]);
    expect(urls).toEqual(id === undefined ? [] : [`OL${id}M`]);
    expect(Object.keys(found)).toEqual(id === undefined ? [] : [key.trim()]);
  });

  it.each([
    ["OL14M", "Second"],
    ["OL14M@1", "First"],
    ["OL14M@3", undefined],
    ["OL14M@x", undefined],
  ])("find the revision of %s", async (key, title) => {
    expect((await books(key, "&jscmd=data"))[key]?.["title"]).toBe(title);
  });

  it("appear as sent and in order, also when they look like numbers", async () => {
    const keys = ["OL1M", "1841151866", "b000fc1pji", "ISBN:1841151866", "9780451526533", "OL4M"];
    for (const turned of [keys, keys.toReversed()]) expect(await order(turned.join(","))).toEqual(turned);
  });

  it("may be repeated, blank, or split over parameters", async () => {
    const text = await (
      await service.fetch("/api/books.json?bibkeys=OL1M,,%20&bibkeys=OL4M,OL1M&bibkeys=")
    ).text();
    expect(Object.keys(JSON.parse(text))).toEqual(["OL1M", "OL4M"]);
  });

  it("are limited to 1,000", async () => {
    const keys = (count: number) =>
      Array.from({ length: count }, (_, index) => `OL${index + 1000}M`).join(",");
    expect(await books(keys(1000))).toEqual({});
    const response = await fetchKeys(keys(1001));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [
        { type: "too_long", loc: ["query", "bibkeys"], ctx: { max_length: 1000, actual_length: 1001 } },
      ],
    });
  });
});

describe("redirected and deleted editions", () => {
  it.each(["OL6M", "OL7M", "OL11M"])("follow the redirect of %s", async (key) => {
    const found = await books(key, "&jscmd=details");
    expect(found[key]).toMatchObject({
      bib_key: key,
      info_url: `${ORIGIN}/books/OL1M/Foo_a_bar_(2nd_ed.)`,
      // Q814: the authors of its work.
      details: { key: "/books/OL1M", authors: [{ key: "/authors/OL1A", name: "Mark Twain" }] },
    });
  });

  it.each(["OL8M", "OL9M", "OL10M", "ISBN:080442957X", "LCCN:94200274"])(
    "find nothing for %s",
    async (key) => {
      expect(await books(key)).toEqual({});
      expect(await books(`${key},OL1M`)).toHaveProperty("OL1M");
    },
  );

  it("are followed for five hops", async () => {
    const chain = Array.from({ length: 6 }, (_, hop) =>
      redirected(`/books/OL${70 + hop}M`, `/books/OL${71 + hop}M`, 1),
    );
    await service.load(...chain, edition(76, { title: "The end" }));
    expect(Object.keys(await books("OL70M,OL71M"))).toEqual(["OL71M"]);
  });
});

describe("thumbnails and previews", () => {
  let lastScan = 1000;
  it.each([
    ["OL4M", undefined],
    ["OL12M", `${ORIGIN}/b/id/5-S.jpg`],
  ])("of %s", async (key, thumbnail) => {
    const entry = (await books(key))[key]!;
    expect(entry["thumbnail_url"]).toBe(thumbnail);
    expect(entry["preview"]).toBe("noview");
    expect(entry["preview_url"]).toBe(entry["info_url"]);
  });

  it.each([
    ["full", ["opensource"], false, undefined],
    ["borrow", ["printdisabled", "inlibrary"], true, undefined],
    ["restricted", ["printdisabled"], false, undefined],
    ["noview", ["opensource"], true, undefined],
    ["noview", [], false, undefined],
    ["noview", undefined, false, undefined],
    ["borrow", undefined, false, "Lending library"],
    ["restricted", undefined, false, "Protected DAISY"],
    ["full", undefined, false, "Accessible book"],
  ] as const)(
    "%s: collections %j, restricted %j, subject %s",
    async (preview, collections, restricted, subject) => {
      const id = (lastScan += 1);
      const ocaid = `scan${id}`;
      if (collections !== undefined) await addItem(ocaid, collections, restricted);
      await service.load(
        edition(id, { ocaid, work: id }),
        work(id, { subjects: subject === undefined ? [] : [subject] }),
      );
      const key = `OL${id}M`;
      expect((await books(key))[key]).toMatchObject({
        preview,
        preview_url: `https://archive.org/details/${ocaid}`,
      });
      const [ebook] = Object((await books(key, "&jscmd=data"))[key]!["ebooks"]);
      expect(ebook.availability).toBe(preview);
      expect(Object.keys(ebook).toSorted()).toEqual(EBOOK_MEMBERS[preview]);
      const undecided = testService({ DERIVE_HOLDINGS: "off" });
      const answer = await undecided.json(`/api/books.json?bibkeys=${key}`);
      expect(Object(answer)[key].preview).toBe(collections === undefined ? "noview" : preview);
    },
  );

  const EBOOK_MEMBERS = {
    full: ["availability", "formats", "preview_url", "read_url"],
    borrow: ["availability", "borrow_url", "checkedout", "formats", "preview_url"],
    restricted: ["availability", "formats", "preview_url"],
    noview: ["availability", "formats", "preview_url"],
  };
});
