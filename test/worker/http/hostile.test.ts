import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { author, edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const errors = vi.spyOn(console, "error").mockImplementation(() => {});

beforeAll(() =>
  service.load(author(1), work(1, { authors: [1] }), edition(1, { work: 1 }), language("eng", "English")),
);
beforeEach(() => errors.mockClear());
afterAll(() => vi.restoreAllMocks());

/** Pieces that break careless readers, as they stand in an address. */
const PIECES: Record<string, string> = {
  "half an encoding": "%",
  "no encoding": "%zz",
  "a cut encoding": "%e",
  "no UTF-8": "%ff%fe",
  "a lone surrogate": "%ed%a0%80",
  "an overlong slash": "%c0%af",
  "a cut character": "%e2%82",
  NUL: "%00",
  "text around NUL": "a%00b",
  "a line end": "%0d%0aSet-Cookie:%20a=b",
  "a tab": "%09",
  "a coded slash": "%2f..%2f..%2f",
  "a coded backslash": "%5c",
  "a coded percent": "%2525",
  quotes: "%22%27%60",
  SQL: "'%3B%20DROP%20TABLE%20record%3B--",
  markup: "%3Cscript%3Ealert(1)%3C/script%3E",
  wildcards: "*%25_%5B%5D%3F",
  "an emoji": "%F0%9F%98%80",
  "right to left": "%E2%80%AE",
  "the last character": "%F4%8F%BF%BF",
  prototype: "__proto__",
  constructor: "constructor",
  "a large number": "99999999999999999999",
  "a negative number": "-1",
  infinity: "Infinity",
  "an exponent": "1e308",
  "a long text": "x".repeat(5000),
  "many slashes": "/".repeat(500),
  "many dots": "....//".repeat(50),
  "many suffixes": ".json".repeat(100),
  nothing: "",
};

const PATHS = [
  "/PIECE",
  "/PIECE.json",
  "/PIECE.rdf",
  "/works/PIECE",
  "/works/OLPIECEW.json",
  "/works/OLPIECEW/editions.json",
  "/works/OL1W/PIECE",
  "/works/OL1W/PIECE.json",
  "/works/OL1W.PIECE",
  "/authors/OLPIECEA/works",
  "/books/OL1M/PIECE/edit",
  "/people/PIECE/lists/OL1L.json",
  "/languages/PIECE.yml",
  "/a/PIECE",
  "/isbn/PIECE",
  "/isbn/0140328726PIECE",
  "/lccn/PIECE.json",
  "/oclc/PIECE",
  "/ia/PIECE/PIECE",
  "/api/volumes/brief/isbn/PIECE.json",
  "/api/volumes/PIECE/PIECE/PIECE.json",
  "/api/volumes/full/json/PIECE",
  "/api/volumes/full/json/id:PIECE;olid:OL1M|PIECE.json",
  "/api/PIECE",
  "/static/PIECE",
  "/docs/PIECE",
];

const QUERIES = [
  "/works/OL1W.json?v=PIECE",
  "/works/OL1W.json?m=PIECE",
  "/works/OL1W.json?callback=PIECE",
  "/works/OL1W.json?text=PIECE&PIECE=PIECE",
  "/works/OL1W.json?m=history&limit=PIECE&offset=PIECE&author=PIECE",
  "/works/OL1W?PIECE",
  "/works/OL1W/editions.json?limit=PIECE&offset=PIECE",
  "/api/books.json?bibkeys=PIECE",
  "/api/books.json?bibkeys=ISBN:PIECE,OLID:PIECE,LCCN:PIECE,OCLC:PIECE,OCAID:PIECE,OL1M@PIECE",
  "/api/books?bibkeys=OL1M&jscmd=PIECE&format=PIECE&details=PIECE&high_priority=PIECE",
  "/api/volumes/brief/olid/OL1M.json?show_all_items=PIECE&callback=PIECE",
  "/languages.json?sort=PIECE&limit=PIECE&lang=PIECE",
  "/languages/_autocomplete?q=PIECE&limit=PIECE&lang=PIECE",
  "/query.json?query=PIECE",
  "/query.json?PIECE=PIECE",
  "/query.json?type=/type/edition&PIECE=PIECE",
  "/query.json?type=/type/edition&PIECE~=PIECE&PIECE>=PIECE",
  "/query.json?type=PIECE&title=PIECE&limit=PIECE&offset=PIECE&sort=PIECE",
  "/query.json?type=/type/work&title~=PIECE*",
  '/query.json?query={"type":"PIECE","PIECE":{"PIECE":"PIECE"}}',
  "/api/get?key=PIECE&revision=PIECE",
  '/api/get_many?keys=["PIECE"]',
  '/api/things?query={"type":"/type/edition","PIECE":"PIECE"}&details=PIECE',
  '/api/versions?query={"key":"PIECE","sort":"PIECE"}',
  "/api/versions?query=PIECE",
];

describe("hostile addresses", () => {
  const expectNoFailure = async (template: string, method: string): Promise<void> => {
    for (const [name, piece] of Object.entries(PIECES)) {
      const response = await service.fetch(template.replaceAll("PIECE", piece), { method });
      expect(response.status, name).toBeLessThan(500);
      expect(response.headers.get("X-Request-Id"), name).not.toBeNull();
      expect(response.headers.get("Set-Cookie"), name).toBeNull();
      await response.arrayBuffer();
    }
    expect(errors).not.toHaveBeenCalled();
  };

  it.each([...PATHS, ...QUERIES])("cause no failure in %s", (template) => expectNoFailure(template, "GET"));

  // The rest of HEAD is that of GET.
  it.each(["/PIECE", "/works/OL1W/PIECE.json", "/works/OL1W.json?m=PIECE"])(
    "cause no failure in HEAD %s",
    (template) => expectNoFailure(template, "HEAD"),
  );
});

describe("hostile headers", () => {
  const LONG = "x".repeat(10_000);
  it.each([
    ["Accept", LONG],
    ["Accept", "application/json;q=1;q=2,,;;,=,q=,*/*;q=-1"],
    ["Accept", ",".repeat(5000)],
    ["If-None-Match", `"${LONG}"`],
    ["If-None-Match", '",,",,*,W/W/"1"'],
    ["If-Modified-Since", "Tue, 99 Foo 2026 99:99:99 GMT"],
    ["If-Modified-Since", "-1e999"],
    ["Cookie", "carrel_bookmark=../../x; HTTP_LANG=%%%"],
    ["Cookie", `carrel_bookmark=${LONG}`],
    ["X-Carrel-Bookmark", "'; DROP TABLE record; --"],
    ["X-Carrel-Bookmark", LONG],
    ["X-Carrel-Bookmark", "not-a-bookmark"],
    ["X-Carrel-Bookmark", "first-primary"],
    ["Accept-Language", LONG],
    ["Accept-Language", "__proto__;q=1"],
    ["CF-Connecting-IP", LONG],
    ["Authorization", `Bearer ${LONG}`],
    ["Content-Length", "-1"],
    ["Range", "bytes=0-1"],
    ["Host", "evil.example"],
  ])("cause no failure: %s: %.40s", async (name, value) => {
    for (const path of ["/works/OL1W.json", "/works/OL1W", "/languages/_autocomplete?q=e", "/nothing"]) {
      const response = await service.fetch(path, { headers: { [name]: value } });
      expect(response.status).toBeLessThan(500);
      await response.arrayBuffer();
    }
    expect(errors).not.toHaveBeenCalled();
  });
});
