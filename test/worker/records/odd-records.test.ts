import { describe, expect, it } from "vitest";
import { AUTHOR_FORMATS, FORMAT_NAMES } from "../../../src/export/formats.ts";
import { readMarc } from "../../../src/import/marc/binary.ts";
import { parseXml } from "../../../src/import/xml/document.ts";
import { SHOWN_TEXT_MAX } from "../../../src/worker/ui/markup.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { mainOf } from "../../support/worker/page-text.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const html = (path: string) => service.fetch(path, { headers: { Accept: "text/html" } });

describe("records of any shape", () => {
  const MEMBERS = (
    "title name subtitle description bio notes first_sentence authors works languages covers photos links subjects " +
    "subject_people publishers publish_date identifiers classifications remote_ids series excerpts contributors " +
    "contributions table_of_contents providers ocaid isbn_10 number_of_pages website original_languages " +
    "translated_from name_translated code body tag_type birth_date alternate_names location"
  ).split(" ");
  const VALUES: readonly unknown[] = [
    7,
    true,
    "\ud800 javascript:alert(1)",
    "</title><script>alert(1)</script>",
    [],
    {},
    [[["deep", [[{ a: [{ b: [1] }] }]]]]],
    [null, 1, "text", { key: "//elsewhere.example" }, { key: 5 }, { author: 3 }, { series: 1 }],
    { key: "/works/OL1W", value: 3 },
    { value: "x", type: "/type/text" },
    [
      { url: 5, title: {} },
      { url: "javascript:alert(1)", title: "t" },
      { excerpt: [] },
      { name: {}, role: [] },
    ],
  ];

  it("are rendered without harmful markup", async () => {
    const shapes = VALUES.flatMap((value, index) => {
      const odd = Object.fromEntries(MEMBERS.map((member) => [member, value]));
      const id = 5000 + index;
      return [
        { ...odd, key: `/works/OL${id}W`, type: "/type/work" },
        { ...odd, key: `/books/OL${id}M`, type: "/type/edition" },
        { ...odd, key: `/authors/OL${id}A`, type: "/type/author" },
        { ...odd, key: `/odd/${id}`, type: "/type/page" },
        { ...odd, key: `/languages/l${String.fromCharCode(97 + index)}x`, type: "/type/language" },
        { ...odd, key: `/tags/OL${id}T`, type: "/type/tag" },
      ];
    });
    const { rejected } = await service.load(...shapes);
    expect(rejected).toEqual([]);
    for (const { key } of shapes) {
      let response = await html(key);
      if (response.status === 301) response = await html(response.headers.get("Location") ?? "");
      expect(response.status, key).toBe(200);
      const body = await response.text();
      expect(mainOf(body), key).not.toMatch(/<script|href="javascript:|href="\/\/|undefined|\[object/);
    }
    for (const { key } of shapes) {
      for (const path of formatsOf(key)) {
        const response = await service.fetch(path);
        expect([path, response.status]).toEqual([path, 200]);
        const body = await response.text();
        if (/json/.test(response.headers.get("Content-Type") ?? "")) JSON.parse(body);
        if (body.startsWith("<?xml")) parseXml(body);
        if (path.endsWith(".mrc")) expect(await readMarc(new TextEncoder().encode(body))).toBeDefined();
        expect(body, path).not.toMatch(/undefined|\[object/);
      }
    }
  });

  /** Lists the export addresses of a record. */
  function formatsOf(key: string): string[] {
    if (key.startsWith("/authors/")) return AUTHOR_FORMATS.map((name) => `${key}.${name}`);
    if (!/^\/(?:works|books)\//.test(key)) return [];
    return [...FORMAT_NAMES.map((name) => `${key}.${name}`), `${key}/cite.json`];
  }

  it("are rendered in bounded pages", async () => {
    const many = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${text}${at}`);
    const long = `Long${"&".repeat(20_000)}`;
    const editions = many(50, "").map((at) =>
      edition(6000 + Number(at), {
        work: 6000,
        title: long,
        publish_date: long,
        physical_format: long,
        publishers: many(300, "Publisher "),
        // More keys on the whole page than one parameter of the database can hold.
        languages: many(2000, `/languages/of-edition-${at}-`).map((key) => ({ key })),
        providers: many(50, `https://books.example/${"a".repeat(3000)}`).map((url) => ({ url })),
      }),
    );
    const works = [6000, 6001].map((id) =>
      work(id, { title: long, first_publish_date: long, authors: [6000] }),
    );
    await service.load(author(6000, { name: long }), ...works);
    await service.load(...editions.slice(0, 25));
    await service.load(...editions.slice(25));
    for (const key of ["/works/OL6000W", "/authors/OL6000A", "/books/OL6000M"]) {
      const { headers } = await html(key);
      const response = await html(headers.get("Location") ?? "");
      expect(response.status, key).toBe(200);
      const body = await response.text();
      expect(body.length, key).toBeLessThan(1_000_000);
      expect(body, key).toContain(`<h1 dir="auto">Long${"&amp;".repeat(SHOWN_TEXT_MAX - 5)}…</h1>`);
    }
  });
});
