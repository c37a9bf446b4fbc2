import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import {
  ACCESS_POINTS,
  DISCOVERY_POINTS,
  EVALUATION_POINTS,
  USEFULNESS_POINTS,
} from "../../../../src/search/documents/scorecard.ts";
import { type EditionScores, type WorkSources, NO_COUNTS } from "../../../../src/search/documents/types.ts";
import { author, builtEdition, work } from "./sources.ts";

interface Case {
  readonly name: string;
  readonly edition?: CatalogRecord;
  readonly sources?: Partial<WorkSources>;
  readonly scores: Partial<EditionScores>;
}

const rated = { ...NO_COUNTS, ratings: [0, 0, 0, 0, 1] as const };
const read = { ...NO_COUNTS, wantToRead: 1 };
const series = [{ series: { key: "/series/OL1L" } }];
const item = (collections: string[]) => new Map([["a", { collections, accessRestricted: false }]]);

const CASES: Case[] = [
  {
    name: "borrowable",
    edition: { ocaid: "a" },
    sources: { items: item(["inlibrary"]) },
    scores: { access: 250 },
  },
  {
    name: "print-disabled",
    edition: { ocaid: "a" },
    sources: { items: item(["printdisabled"]) },
    scores: { access: 50 },
  },
  { name: "public", edition: { ocaid: "a" }, sources: { items: item(["texts"]) }, scores: { access: 275 } },
  { name: "ISBN", edition: { isbn_10: ["0940787083"] }, scores: { access: 50, discovery: 15 } },
  { name: "seller", edition: { identifiers: { amazon: ["B1"] } }, scores: { access: 25 } },
  { name: "seller", edition: { identifiers: { better_world_books: ["1"] } }, scores: { access: 25 } },
  { name: "OCLC", edition: { oclc_numbers: ["1"] }, scores: { access: 25 } },
  {
    name: "fan fiction",
    sources: { work: work({ links: [{ url: "https://archiveofourown.org/works/1" }] }) },
    scores: { access: 20 },
  },
  {
    name: "Wikidata",
    sources: { work: work({ identifiers: { wikidata: ["Q1"] } }) },
    scores: { access: 20 },
  },
  {
    name: "Wikipedia",
    sources: { work: work({ links: [{ url: "https://en.wikipedia.org/wiki/X" }] }) },
    scores: { access: 20 },
  },
  { name: "first sentence", edition: { first_sentence: { value: "It was." } }, scores: { access: 2 } },
  { name: "title", edition: { title: "T" }, scores: { discovery: 50 } },
  { name: "author", sources: { authors: [author(1)] }, scores: { discovery: 40 } },
  { name: "series", sources: { work: work({ series }) }, scores: { discovery: 20, evaluation: 10 } },
  { name: "contents", edition: { table_of_contents: ["One"] }, scores: { discovery: 20, evaluation: 30 } },
  { name: "Dewey", edition: { dewey_decimal_class: ["123.5"] }, scores: { discovery: 15 } },
  { name: "language", edition: { languages: [{ key: "/languages/eng" }] }, scores: { discovery: 15 } },
  { name: "lexile", edition: { lexile: 800 }, scores: { discovery: 5 } },
  { name: "ratings", sources: { counts: rated }, scores: { discovery: 5, evaluation: 20 } },
  { name: "readers", sources: { counts: read }, scores: { discovery: 3, evaluation: 10 } },
  { name: "contributions", edition: { contributions: ["X, illustrator"] }, scores: { discovery: 1 } },
  { name: "description", edition: { description: "Short" }, scores: { evaluation: 40 } },
  {
    name: "long description of the work",
    sources: { work: work({ description: { value: "x".repeat(51) } }) },
    scores: { evaluation: 50 },
  },
  { name: "cover", edition: { covers: [-1, 5] }, scores: { evaluation: 35 } },
  { name: "no cover", edition: { covers: [-1] }, scores: {} },
  { name: "pages", edition: { number_of_pages: "100" }, scores: { evaluation: 10 } },
  {
    name: "author's photo",
    sources: { authors: [author(1, { photos: [1] })] },
    scores: { discovery: 40, evaluation: 5 },
  },
  {
    name: "author's life",
    sources: { authors: [author(1, { bio: "B" })] },
    scores: { discovery: 40, evaluation: 3 },
  },
  {
    name: "author's identifiers",
    sources: { authors: [author(1, { remote_ids: { viaf: "1" } })] },
    scores: { discovery: 40, evaluation: 2 },
  },
  { name: "year", edition: { publish_date: "1999" }, scores: { evaluation: 10 } },
  { name: "publisher", edition: { publishers: ["Puffin"] }, scores: { evaluation: 2 } },
  { name: "no publisher", edition: { publishers: ["[s.n.]"] }, scores: {} },
];

describe("scorecard", () => {
  it.each(CASES)("$name", ({ edition, sources, scores }) => {
    const document = builtEdition({ key: "/books/OL1M", ...edition }, sources);
    expect(document.scores).toEqual({ access: 0, discovery: 0, evaluation: 0, ...scores });
  });

  it("gives all points but those for tags and lists to an edition with everything", () => {
    const edition = {
      key: "/books/OL1M",
      title: "T",
      ocaid: "a",
      isbn_10: ["0940787083"],
      first_sentence: "F",
      table_of_contents: ["One"],
      dewey_decimal_class: ["123"],
      languages: [{ key: "/languages/eng" }],
      lexile: 800,
      contributions: ["C"],
      covers: [1],
      number_of_pages: 1,
      publish_date: "1999",
      publishers: ["P"],
    };
    const record = work({
      series,
      description: "x".repeat(51),
      links: [{ url: "https://archiveofourown.org" }, { url: "https://en.wikipedia.org" }],
    });
    const { scores } = builtEdition(edition, {
      work: record,
      items: item(["texts"]),
      counts: { ...rated, alreadyRead: 1 },
      authors: [author(1, { photos: [1], bio: "B", remote_ids: { viaf: "1" } })],
    });
    expect(scores).toEqual({
      access: ACCESS_POINTS,
      discovery: DISCOVERY_POINTS - 27,
      evaluation: EVALUATION_POINTS - 35,
    });
    expect([ACCESS_POINTS, DISCOVERY_POINTS, EVALUATION_POINTS, USEFULNESS_POINTS]).toEqual([
      367, 216, 222, 805,
    ]);
  });
});
