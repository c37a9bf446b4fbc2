import { describe, expect, it } from "vitest";
import { NO_COUNTS } from "../../../../src/search/documents/types.ts";
import { buildWork, draftWork } from "../../../../src/search/documents/work.ts";
import { author, built, edition, work } from "./sources.ts";

describe("buildWork", () => {
  it("gives a bare record the members that every work has", () => {
    expect(built({ work: { key: "/works/OL1W" } })).toStrictEqual({
      key: "/works/OL1W",
      type: "work",
      title: "__None__",
      title_sort: "__None__",
      edition_count: 0,
      ebook_access: "no_ebook",
      has_fulltext: false,
      public_scan_b: false,
      ebook_count_i: 0,
      identifiers: {},
      last_modified_i: 0,
      counts: NO_COUNTS,
      editions: [],
    });
  });

  it("takes the title of the first edition that has one", () => {
    const editions = [edition(1, { title: "" }), edition(2, { title: "Two" }), edition(3)];
    expect(built({ work: work({ title: "" }), editions }).title).toBe("Two");
    expect(built({ work: work({ title: "Own" }), editions }).title).toBe("Own");
  });

  it("gathers titles, subtitles and statements", () => {
    const editions = [
      edition(1, { title: "foo", by_statement: "by X", subtitle: "s" }),
      edition(2, { title: "foo", other_titles: ["bar"], by_statement: "by X", subtitle: "s" }),
    ];
    expect(
      built({ work: work({ title: "foo 2", subtitle: "bar" }), editions: [edition(1, { title: "foo" })] }),
    ).toMatchObject({
      title: "foo 2",
      subtitle: "bar",
      title_sort: "foo 2: bar",
      alternative_title: ["foo 2: bar", "foo"],
    });
    expect(built({ work: work({ title: "foo" }), editions })).toMatchObject({
      alternative_title: ["foo", "foo: s", "bar"],
      alternative_subtitle: ["s"],
      by_statement: ["by X"],
    });
  });

  it("lists its editions by number", () => {
    expect(built({ editions: [edition(2), edition(10)] })).toMatchObject({
      edition_count: 2,
      edition_key: ["OL2M", "OL10M"],
      editions: [{ key: "/books/OL2M" }, { key: "/books/OL10M" }],
    });
  });

  it("has the cover of the record, else the first of its editions", () => {
    const editions = [edition(1), edition(2, { covers: [-1, 7] }), edition(3, { covers: [5, 9] })];
    expect(built({ editions })).toMatchObject({ cover_i: 7, cover_edition_key: "OL2M" });
    expect(built({ work: work({ covers: [-1, 9] }), editions })).toMatchObject({
      cover_i: 9,
      cover_edition_key: "OL3M",
    });
    const own = built({ work: work({ covers: [4] }), editions });
    expect(own.cover_i).toBe(4);
    expect(own).not.toHaveProperty("cover_edition_key");
  });

  it("knows years from dates", () => {
    const dates = [
      "2000",
      "Another 2000",
      "2001-01-02",
      "01-02-2003",
      "2004 May 23",
      "Jan 2002",
      "Bad date 12",
      "Bad date 123412314",
    ];
    const editions = dates.map((date, index) => edition(index + 1, { publish_date: date }));
    const document = built({ editions });
    expect(document.publish_date).toEqual(dates);
    expect(document.publish_year?.toSorted()).toEqual([2000, 2001, 2002, 2003, 2004]);
    expect(document.first_publish_year).toBe(2000);
  });

  it("knows no year far ahead of the last change, and the first year despite unknown digits", () => {
    const dates = ["9999", "2014", "2013", "[19--]", "c1955"];
    const last_modified = { type: "/type/datetime", value: "2011-06-08T17:42:09.000000" };
    const editions = dates.map((date, index) => edition(index + 1, { publish_date: date, last_modified }));
    const document = built({ editions });
    expect([document.publish_year, document.first_publish_year]).toEqual([[2013, 1900, 1955], 1955]);
    expect(built({ editions: editions.slice(3, 4) }).first_publish_year).toBe(1900);
  });

  it("gathers the members of editions, once each", () => {
    const one = {
      publishers: ["P"],
      publish_places: ["London"],
      physical_format: "Paperback",
      contributions: ["C", ""],
      first_sentence: { type: "/type/text", value: "It was." },
      languages: [{ key: "/languages/eng" }],
      lccn: ["1"],
      oclc_numbers: ["2"],
      isbn_10: ["0940787083"],
      number_of_pages: 100,
      lexile: "900",
      table_of_contents: ["One"],
      identifiers: { goodreads: ["1"], librarything: ["x"] },
    };
    const other = {
      ...one,
      publishers: ["P", "Q"],
      languages: [{ key: "/languages/fre" }],
      number_of_pages: 103,
      identifiers: { goodreads: ["2", "1"] },
    };
    expect(built({ editions: [edition(1, one), edition(2, other)] })).toMatchObject({
      publisher: ["P", "Q"],
      publish_place: ["London"],
      format: ["Paperback"],
      contributor: ["C"],
      first_sentence: ["It was."],
      language: ["eng", "fre"],
      lccn: ["1"],
      oclc: ["2"],
      isbn: ["0940787083", "9780940787087"],
      number_of_pages_median: 102,
      lexile: [900],
      chapter: ["OL1M | One", "OL2M | One"],
      identifiers: { id_goodreads: ["1", "2"], id_librarything: ["x"] },
    });
  });

  it("names authors once, in parallel members", () => {
    const authors = [
      author(2, { alternate_names: ["B", "C"] }),
      author(1, { name: undefined, alternate_names: ["C"] }),
    ];
    expect(built({ authors: [...authors, ...authors] })).toMatchObject({
      author_key: ["OL2A", "OL1A"],
      author_name: ["Author 2", ""],
      author_alternative_name: ["B", "C"],
    });
  });

  it("keeps the spelling of subjects", () => {
    const record = work({
      subjects: ["Love", "love", "Love"],
      subject_places: ["La Mancha"],
      subject_people: ["Sancho"],
      subject_times: ["1600"],
    });
    expect(built({ work: record })).toMatchObject({
      subject: ["Love", "love", "Love"],
      place: ["La Mancha"],
      person: ["Sancho"],
      time: ["1600"],
    });
  });

  it("places the work in series by edges, each series once", () => {
    const series = new Map([
      ["/series/OL1L", { key: "/series/OL1L", type: { key: "/type/series" }, name: "One" }],
      ["/series/OL3L", { key: "/series/OL3L", type: { key: "/type/redirect" }, location: "/series/OL1L" }],
    ]);
    const record = work({
      series: [
        "Text, #1",
        { series: { key: "/series/OL1L" }, position: "1" },
        { series: { key: "/series/OL2L" } },
      ],
    });
    const editions = [
      edition(1, {
        series: [
          { series: { key: "/series/OL3L" }, position: 9 },
          { series: { key: "/series/OL4L" }, position: 2 },
        ],
      }),
    ];
    expect(built({ work: record, editions, series })).toMatchObject({
      series_key: ["OL1L", "OL2L", "OL4L"],
      series_name: ["One", "/series/OL2L", "/series/OL4L"],
      series_position: ["1", "", "2"],
    });
    expect(built({ work: work({ series: ["Text, #1"] }) })).not.toHaveProperty("series_key");
  });

  it("takes the time of the newest of the work's records", () => {
    const time = (value: string) => ({ type: "/type/datetime", value });
    const document = built({
      work: work({ last_modified: time("2009-12-09T19:57:50.403210") }),
      editions: [edition(1, { last_modified: "2011-06-08T17:42:09" }), edition(2)],
      osp: 12,
    });
    expect(document.last_modified_i).toBe(Date.UTC(2011, 5, 8, 17, 42, 9) / 1000);
    expect(document.osp_count).toBe(12);
  });

  it("makes a document from an edition without a work", () => {
    const record = edition(1, {
      works: undefined,
      title: "Orphan",
      subtitle: "A tale",
      subjects: ["Foundlings"],
      subject_places: ["London"],
      covers: [3],
    });
    const document = built({ work: undefined, editions: [record], authors: [author(1)] });
    expect(document).toMatchObject({
      key: "/works/OL1M",
      title: "Orphan",
      alternative_title: ["Orphan", "Orphan: A tale"],
      subject: ["Foundlings"],
      place: ["London"],
      author_key: ["OL1A"],
      cover_i: 3,
      cover_edition_key: "OL1M",
      edition_count: 1,
      edition_key: ["OL1M"],
      editions: [{ key: "/books/OL1M", work_key: ["OL1M"] }],
    });
    expect(document).not.toHaveProperty("subtitle");
    expect(() => built({ work: undefined })).toThrow(RangeError);
  });

  it("does not change its sources", () => {
    const record = Object.freeze(work({ subjects: Object.freeze(["b", "a"]) as string[] }));
    const sources = { work: record, editions: Object.freeze([edition(1)]), authors: [], series: new Map() };
    const all = { ...sources, items: new Map(), counts: NO_COUNTS, prefix: "OL", deriveItems: true };
    expect(buildWork(all)).toStrictEqual(buildWork(all));
    // Drafts are the same but for members that are undefined.
    expect(JSON.stringify(draftWork(all))).toBe(JSON.stringify(buildWork(all)));
  });
});

describe("class numbers", () => {
  it.each<[string[][], readonly string[] | undefined, string | undefined]>([
    [[["A"], ["A"]], ["A--0000.00000000"], "A--0000.00000000"],
    [[["$9.99"]], undefined, undefined],
    [[[]], undefined, undefined],
    [[[""]], undefined, undefined],
    [[["PT2603.0.E46 Z589 1991"]], ["PT-2603.00000000.E46 Z589 1991"], "PT-2603.00000000.E46 Z589 1991"],
    [[["A123.C14"], ["B42"]], ["A--0123.00000000.C14", "B--0042.00000000"], "A--0123.00000000.C14"],
    [[["9781234123411", "ML410", "123.4"]], ["ML-0410.00000000"], "ML-0410.00000000"],
  ])("LCC %j", (numbers, lcc, sorting) => {
    const editions = numbers.map((each, index) => edition(index + 1, { lc_classifications: each }));
    expect(built({ editions }).lcc).toEqual(lcc);
    expect(built({ editions }).lcc_sort).toBe(sorting);
  });

  it.each<[string[][], readonly string[] | undefined, string | undefined]>([
    [[["05", "123.5"]], ["005", "123.5"], "123.5"],
    [[["05"], ["123.5"]], ["005", "123.5"], "123.5"],
    [[["j132.452939 [B]"]], ["132.452939 B", "j132.452939 B"], "132.452939 B"],
    [[["132.52 153.6"]], ["132.52", "153.6"], "132.52"],
    [[["123.5", "920"]], ["123.5"], "123.5"],
    [[["123.5", "92"]], ["123.5"], "123.5"],
    [[["123.5", "B", "92"]], ["123.5"], "123.5"],
    [[["092", "123.5"]], ["123.5"], "123.5"],
    [[["92"]], ["092"], "092"],
    [[["B"]], undefined, undefined],
  ])("DDC %j", (numbers, ddc, sorting) => {
    const editions = numbers.map((each, index) => edition(index + 1, { dewey_decimal_class: each }));
    expect(built({ editions }).ddc?.toSorted()).toEqual(ddc?.toSorted());
    expect(built({ editions }).ddc_sort).toBe(sorting);
  });
});

describe("scans", () => {
  const collections: Record<string, string[]> = {
    open: ["americana"],
    lent: ["inlibrary", "americana"],
    both: ["printdisabled", "inlibrary"],
    daisy: ["printdisabled", "americana"],
    openblah: ["americana"],
    opengoog: ["americana", "fav-somebody"],
  };
  const items = new Map(
    Object.entries(collections).map(([ocaid, each]) => [
      ocaid,
      { collections: each, accessRestricted: false },
    ]),
  );
  items.set("closed", { collections: ["texts"], accessRestricted: true });
  const of = (...ocaids: (string | undefined)[]) =>
    built({ items, editions: ocaids.map((ocaid, index) => edition(index + 1, { ocaid })) });

  it("in lending", () => {
    const document = of("lent");
    expect(document).toMatchObject({
      has_fulltext: true,
      public_scan_b: false,
      lending_edition_s: "OL1M",
      lending_identifier_s: "lent",
      ebook_access: "borrowable",
    });
    expect(document).not.toHaveProperty("printdisabled_s");
  });

  it("for print-disabled patrons", () => {
    expect(of("both")).toMatchObject({ lending_edition_s: "OL1M", printdisabled_s: "OL1M" });
    const document = of("daisy");
    expect(document).toMatchObject({ printdisabled_s: "OL1M", has_fulltext: true });
    expect(document).not.toHaveProperty("lending_edition_s");
    expect(of("daisy", "both").printdisabled_s).toBe("OL2M;OL1M");
  });

  it("of four editions", () => {
    expect(of(undefined, "open", "lent", "both")).toMatchObject({
      ebook_access: "public",
      public_scan_b: true,
      ebook_count_i: 3,
      ia: ["open", "lent", "both"],
      ia_collection: ["americana", "inlibrary", "printdisabled"],
      lending_edition_s: "OL2M",
      lending_identifier_s: "open",
      printdisabled_s: "OL4M",
      ebook_provider: ["ia"],
    });
  });

  it("come the most open first, foreign copies after others", () => {
    expect(of("closed", "daisy", "lent", "open").ia).toEqual(["open", "lent", "daisy", "closed"]);
    expect(of("opengoog", "openblah").ia).toEqual(["openblah", "opengoog"]);
    expect(of("opengoog", "lent").ia).toEqual(["opengoog", "lent"]);
    expect(of("opengoog").ia_collection).toEqual(["americana"]);
  });

  it("ignores the case of collections", () => {
    const editions = [edition(1, { ia_box_id: "IA1" }), edition(2, { ia_box_id: ["ia1", "IA2"] })];
    expect(built({ editions }).ia_box_id).toEqual(["IA1", "IA2"]);
  });
});
