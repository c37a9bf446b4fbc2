import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { SLUG_LENGTH_MAX, encodeSlug, recordSlugOf, recordUrlOf, toSlug } from "../../../src/catalog/slug.ts";
import { ROUTES } from "../../../src/worker/routes.ts";
import { HOSTILE, randomStream, randomText } from "./random.ts";

describe("urlsafe", () => {
  it.each([
    ["Harry Potter and the Sorcerer's Stone", "Harry_Potter_and_the_Sorcerer's_Stone"],
    ["Foo: a bar? (2nd ed.)", "Foo_a_bar_(2nd_ed.)"],
    ["War & peace", "War_peace"],
    ["C++ / C#", "C_C"],
    ["Émile, ou De l'éducation", "Émile_ou_De_l'éducation"],
    ["???", ""],
    ["Harry Potter & the stone", "Harry_Potter_the_stone"],
    ["__a__b__", "a__b"],
    ["a\r\nb\tc", "a_b\tc"],
    ['`;/?:@&=+$,<>#%"{}|\\^[] x', "x"],
    ["", ""],
    ["a!*'().~-b", "a!*'().~-b"],
  ])("%j: %j", (text, slug) => expect(toSlug(text)).toBe(slug));

  it.each([
    [".", "._"],
    ['"."', "._"],
    ["<>.", "._"],
    ["..", ".._"],
    ["...", "..."],
    ["edit", "edit_"],
    ["Edit", "Edit"],
    ["editions", "editions_"],
    ["add-cover", "add-cover_"],
    ["works", "works_"],
    ["package.json", "package.json_"],
    ["A.rdf", "A.rdf_"],
    ["notes.bib", "notes.bib"],
    ["a \ud83d b", "a_\ufffd_b"],
  ])("leads to the record's own page: %j as %s (Q670)", (text, slug) => expect(toSlug(text)).toBe(slug));

  const BELOW =
    /^\/(?:works|books|authors|lists|series|tags)\/(?:XX\{\w+\}[A-Z]|\{(?:olid|list_id)\})\/([^/{}]+)$/;
  const pages = ROUTES.flatMap(({ path }) => BELOW.exec(path)?.[1] ?? []);
  it.each([...new Set(pages)])("is not the page %s below a record", (page) =>
    expect(toSlug(page)).not.toBe(page),
  );

  it("strips before it cuts, at whole characters", () => {
    expect(toSlug(` ${"x".repeat(150)}`)).toBe("x".repeat(SLUG_LENGTH_MAX));
    expect(toSlug(`${"x".repeat(99)} y`)).toBe(`${"x".repeat(99)}_`);
    expect(toSlug("😀".repeat(150))).toBe("😀".repeat(SLUG_LENGTH_MAX));
    expect(toSlug("😀".repeat(100))).toBe("😀".repeat(100));
  });

  it("takes linear time", () => {
    expect(toSlug(`a${"_".repeat(1_000_000)}b`)).toHaveLength(SLUG_LENGTH_MAX);
  });
});

const record = (type: string, members: object): CatalogRecord => ({
  key: "/x/OL1X",
  type: { key: `/type/${type}` },
  ...members,
});

describe("recordSlugOf", () => {
  it.each([
    ["edition", { title: "A b" }, "A_b"],
    ["edition", { title: "Tale", title_prefix: "The" }, "The_Tale"],
    ["edition", {}, "untitled"],
    ["edition", { title: "" }, "untitled"],
    ["edition", { title: "???" }, ""],
    ["work", { title: "A b", name: "no" }, "A_b"],
    ["work", {}, "untitled"],
    ["author", { name: "A. Writer" }, "A._Writer"],
    ["author", {}, "noname"],
    ["list", { name: "My list" }, "My_list"],
    ["list", {}, "unnamed"],
    ["series", {}, "unnamed"],
    ["tag", { name: "Sea stories" }, "Sea_stories"],
    ["tag", {}, "untitled"],
    ["language", { name: "English" }, undefined],
    ["delete", { title: "A b" }, undefined],
  ])("%s %j: %s", (type, members, slug) => expect(recordSlugOf(record(type, members))).toBe(slug));

  it("takes the name of a nameless author from its caller", () => {
    expect(recordSlugOf(record("author", {}), { author: "unnamed" })).toBe("unnamed");
    expect(recordSlugOf(record("author", {}), { author: "noname" })).toBe("noname");
    expect(recordSlugOf(record("work", {}), { author: "unnamed" })).toBe("untitled");
  });
});

describe("encodeSlug", () => {
  it.each([
    ["Harry_Potter_the_stone", "Harry_Potter_the_stone"],
    ["Foo_a_bar_(2nd_ed.)", "Foo_a_bar_%282nd_ed.%29"],
    ["l'éducation", "l%27%C3%A9ducation"],
    ["a!b*c~-.", "a%21b%2Ac~-."],
    ["😀", "%F0%9F%98%80"],
    ["", ""],
  ])("%s: %s", (slug, encoded) => expect(encodeSlug(slug)).toBe(encoded));

  it("is unreserved and can be decoded", () => {
    const random = randomStream(1);
    for (let round = 0; round < 500; round += 1) {
      const slug = toSlug(randomText(random, HOSTILE, 150));
      const encoded = encodeSlug(slug);
      expect(encoded).toMatch(/^(?:[A-Za-z0-9_.~-]|%[0-9A-F]{2})*$/);
      expect(decodeURIComponent(encoded)).toBe(slug.toWellFormed());
    }
  });
});

describe("recordUrlOf", () => {
  const base = "http://localhost:8080";

  it.each([
    [
      { key: "/books/OL1M", type: { key: "/type/edition" }, title: "Foo: a bar? (2nd ed.)" },
      "/books/OL1M/Foo_a_bar_(2nd_ed.)",
    ],
    [{ key: "/works/OL1W", type: { key: "/type/work" } }, "/works/OL1W/untitled"],
    [{ key: "/authors/OL9A", type: { key: "/type/author" }, name: "A. Writer" }, "/authors/OL9A/A._Writer"],
    [{ key: "/authors/OL9A", type: { key: "/type/author" } }, "/authors/OL9A/unnamed"],
    [{ key: "/works/OL1W", type: { key: "/type/work" }, title: "???" }, "/works/OL1W/"],
    [{ key: "/languages/eng", type: { key: "/type/language" }, name: "English" }, "/languages/eng"],
    [{ key: "/series/OL1L", type: { key: "/type/series" }, name: "S" }, "/series/OL1L"],
  ])("%j", (value, path) => expect(recordUrlOf(base, value)).toBe(base + path));
});
