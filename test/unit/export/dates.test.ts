import { describe, expect, it } from "vitest";
import { toBibframeNodes } from "../../../src/export/bibframe.ts";
import type { Book } from "../../../src/export/book.ts";
import { formatBibtex, formatRis, toCslItem } from "../../../src/export/citation-formats.ts";
import { citationMetasOf, formatContextObject, openGraphBookOf } from "../../../src/export/heads.ts";
import { toJsonPublication } from "../../../src/export/opds/json.ts";
import { formatReferences } from "../../../src/export/references.ts";
import { toSchemaAuthor, toSchemaBook } from "../../../src/export/schema-org.ts";
import { modsOfBook, toDublinCore } from "../../../src/export/xml-formats.ts";
import { xmlText } from "../../../src/catalog/xml.ts";
import { SITE, author, editionBook, workBook } from "./books.ts";

function match(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text)?.[1];
}

/** Years and days that single-date formats state, without repetition. */
function singlesOf(book: Book): unknown[] {
  const metas = new Map([...citationMetasOf(book), ...openGraphBookOf(book)]);
  const values = [
    match(formatRis(book), /PY {2}- (.*)\r/),
    metas.get("citation_publication_date"),
    metas.get("book:release_date"),
    new URLSearchParams(formatContextObject(book)).get("rft.date") ?? undefined,
    match(
      JSON.stringify(toJsonPublication({ book, href: "", acquisitions: [] })),
      /"published":"(\d+)-01-01"/,
    ),
  ];
  return [...new Set(values)];
}

describe("dates in export formats", () => {
  it.each([
    ["1999", "1999", "1999", "1999", "1999"],
    ["MMXX", "2020", "2020", "2020", "2020"],
    ["[ca. 1850]", "1850", "ca. 1850", "ca. 1850", "1850"],
    ["1985?", "1985", "ca. 1985", "ca. 1985", "1985"],
    ["19[85]", "1985", "1985", "1985", "1985"],
    ["19uu", "1900/1999", "1900--1999", "1900–1999", undefined],
    ["[19--]", "1900/1999", "1900--1999", "1900–1999", undefined],
    ["[19--?]", "1900/1999", "1900--1999", "1900–1999", undefined],
    ["18??", "1800/1899", "1800--1899", "1800–1899", undefined],
    ["199u", "1990/1999", "1990--1999", "1990–1999", undefined],
    ["1990s", "1990/1999", "1990--1999", "1990–1999", undefined],
    ["19th century", "1800/1899", "1800--1899", "1800–1899", undefined],
    ["between 1850 and 1860?", "1850/1860", "1850--1860", "1850–1860", undefined],
    ["[1850 or 51]", "1850/1851", "1850--1851", "1850–1851", undefined],
    ["[18--]-1901", "1800/1901", "1800--1901", "1800–1901", undefined],
    ["18uu-19uu", "1800/1999", "1800--1999", "1800–1999", undefined],
    ["1999-2001", "1999/2001", "1999--2001", "1999–2001", "1999"],
    ["5744 [1983 or 1984]", "1983/1984", "1983--1984", "1983–1984", "1983"],
    ["400 B.C.", "-0399", "400 BC", "400 BC", undefined],
    ["n.d.", undefined, undefined, "n.d.", undefined],
    ["uuuu", undefined, undefined, "n.d.", undefined],
  ])("state %j by its meaning", (date, iso, bibtex, reference, single) => {
    const book = editionBook({ publish_date: date });
    expect(toSchemaBook(book)["datePublished"]).toBe(iso);
    expect(match(xmlText(toDublinCore(book)), /<dc:date>(.*)<\/dc:date>/)).toBe(iso ?? date);
    expect(match(formatBibtex(book), /year = \{(.*)\}/)).toBe(bibtex);
    expect(formatReferences(book, "en").apa.text).toContain(`(${reference})`);
    expect(singlesOf(book)).toEqual([single]);
    const [first, last] = (iso ?? "").split("/");
    const ends = [...xmlText(modsOfBook(book)).matchAll(/encoding="w3cdtf".*>(.*)<\/dateIssued>/g)];
    expect(ends.map(([, end]) => end)).toEqual([first || [], last ?? []].flat());
    expect(JSON.stringify(toBibframeNodes(book))).toContain(`"date":"${date}"`);
  });

  it.each([
    ["2003-03-01", "2003/03/01/"],
    ["1999", "1999///"],
    ["ca. 1850", "1850///ca. 1850"],
    ["1999-2001", "1999///1999–2001"],
    ["[19--]", "///1900–1999"],
  ])("state %j in RIS as %j", (date, line) => {
    expect(formatRis(editionBook({ publish_date: date }))).toContain(`DA  - ${line}\r\n`);
  });

  it("state the earliest date of a work, and of lives, with unknown digits", () => {
    const of = (...dates: string[]) =>
      workBook({}, { editions: dates.map((date) => ({ key: "/books/OL5M", publish_date: date })) });
    expect(toCslItem(of("[19--]"))["issued"]).toEqual({ "date-parts": [[1900], [1999]], circa: true });
    expect(toSchemaBook(of("[19--]"))["datePublished"]).toBe("1900/1999");
    expect(toSchemaBook(of("5744 [1983 or 1984]"))["datePublished"]).toBe("1983");
    expect(toSchemaBook(of("400 B.C."))["datePublished"]).toBe("-0399");
    expect(toSchemaBook(of("[19--]", "1955"))["datePublished"]).toBe("1955");
    expect(toSchemaAuthor(author(1, { birth_date: "18--" }), SITE)["birthDate"]).toBe("1800/1899");
  });
});
