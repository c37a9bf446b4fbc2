import { type WorkDocument, NO_COUNTS } from "../../../src/search/documents/types.ts";
import { buildWork } from "../../../src/search/documents/work.ts";
import { type Query, type Value, not } from "../../../src/search/query/query.ts";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import type { Random } from "./random.ts";

const WORDS =
  "run running library libraries wi-fi wifi O'Brien tv television harry potter the of and river Łódź naïve C++ c# 1984 20 村上春樹 村上 story stories".split(
    " ",
  );
const NAMES = ["Anna O'Brien", "J. R. R. Tolkien", "Jane Stories", "村上春樹", "Harry River", "Søren Łódź"];
const LANGUAGES = ["eng", "ger", "fre"];
const SUBJECTS = ["Science Fiction", "History -- 20th century", "Rivers", "Libraries", "C++ (Computer)"];
const PUBLISHERS = ["River Press", "Library of Łódź", "TV Books"];
const LCC = ["PZ-0073.00000000", "A--0001.00000000", "PS-3557.00000000.A28 1955"];

/** A catalog of works in which most queries of `randomQuery` find something. */
export function randomWorks(random: Random, count: number): WorkDocument[] {
  return Array.from({ length: count }, (_empty, at) => randomWork(random, at + 1));
}

/** A text of a few words. */
export function randomText(random: Random, most = 4): string {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join(" ");
}

function randomWork(random: Random, number: number): WorkDocument {
  const some = <Item>(items: readonly Item[], most: number): Item[] =>
    random.shuffled(items).slice(0, random.below(most + 1));
  const editions = Array.from({ length: random.pick([0, 1, 1, 1, 2, 4]) }, (_empty, at) =>
    randomEdition(random, number * 10 + at),
  );
  const authors = some([1, 2, 3, 4, 5, 6], 2);
  const document = buildWork({
    work: {
      key: `/works/OL${number}W`,
      type: { key: "/type/work" },
      title: randomText(random),
      ...(random.chance(0.3) && { subtitle: randomText(random, 2) }),
      subjects: some(SUBJECTS, 3),
      subject_places: some(["Łódź", "River City"], 1),
      ...(random.chance(0.2) && { covers: [random.below(5) + 1] }),
    },
    editions,
    authors: authors.map((author) => ({ key: `/authors/OL${author}A`, name: NAMES[author - 1] ?? "" })),
    series: new Map(),
    items: new Map(),
    counts: {
      ...NO_COUNTS,
      wantToRead: random.chance(0.3) ? random.below(2000) : 0,
      ratings: [0, 0, random.below(3), 0, random.below(4)],
    },
    prefix: "OL",
    deriveItems: true,
  });
  if (document === undefined) throw new Error("no document");
  return document;
}

function randomEdition(random: Random, number: number): CatalogRecord {
  return {
    key: `/books/OL${number}M`,
    type: { key: "/type/edition" },
    title: randomText(random),
    publishers: [random.pick(PUBLISHERS)],
    publish_date: String(1890 + random.below(130)),
    languages: [{ key: `/languages/${random.pick(LANGUAGES)}` }],
    ...(random.chance(0.5) && { isbn_13: [`97803064061${String(number % 100).padStart(2, "0")}`] }),
    ...(random.chance(0.3) && { number_of_pages: 100 + random.below(300) }),
    ...(random.chance(0.3) && { lccn: [`${10_000 + (number % 50)}`] }),
    ...(random.chance(0.3) && { oclc_numbers: [`${10_000 + (number % 70)}`] }),
    ...(random.chance(0.3) && { lc_classifications: [random.pick(["PZ73", "A1", "PS3557.A28 1955"])] }),
    ...(random.chance(0.3) && { identifiers: { goodreads: [`Gr-${number % 9}`] } }),
    ...(random.chance(0.2) && { identifiers: { standard_ebooks: ["x"] } }),
    ...(random.chance(0.2) && { ocaid: `item${number % 30}` }),
  };
}

const word = (text: string): Value => ({ kind: "word", text });
const phrase = (text: string): Value => ({ kind: "phrase", text });
const range = (random: Random, ends: readonly string[]): Value => {
  const [from, to] = [random.pick(ends), random.pick(ends)];
  return {
    kind: "range",
    from: random.chance(0.2) ? null : from,
    to: random.chance(0.2) ? null : to,
    includesFrom: random.chance(0.7),
    includesTo: random.chance(0.7),
  };
};
const YEARS = ["1890", "1899", "1900", "1905", "1950", "1969", "1999", "2000", "2019", "soon"];
const LEVELS = ["no_ebook", "unclassified", "printdisabled", "borrowable", "public", "open"];
const TEXT_FIELDS =
  "alternative_title title subtitle author_name subject place publisher publish_date format".split(" ");

/** A condition on one edition: no condition of works only. */
export function randomEditionLeaf(random: Random): Query {
  const [field, value] = random.pick<[string, Value]>([
    ["language", phrase(random.pick(LANGUAGES))],
    ["publisher", word(random.pick(["river", "library", "tv"]))],
    ["publisher_facet", phrase(random.pick(PUBLISHERS))],
    ["publish_year", range(random, YEARS)],
    ["ebook_access", range(random, LEVELS)],
    ["ebook_access", phrase(random.pick(LEVELS))],
    ["has_fulltext", phrase(random.pick(["true", "false"]))],
    ["title", word(random.pick(WORDS))],
    ["isbn", word(`97803064061${String(random.below(100)).padStart(2, "0")}`)],
    ["id_goodreads", word(`Gr-${random.below(9)}`)],
  ]);
  const leaf: Query = { op: "match", field, value, boost: 1 };
  return random.chance(0.2) && field === "ebook_access" ? not(leaf) : leaf;
}

function randomLeaf(random: Random): Query {
  const make = (field: string | null, value: Value): Query => ({ op: "match", field, value, boost: 1 });
  const beginning = random.pick(["ri", "lib", "run", "stor", "村", "wi-f", "1", "har"]);
  return random.pick<() => Query>([
    () => make(null, word(random.pick(WORDS))),
    () => make(null, word(random.pick(WORDS))),
    () =>
      make(
        null,
        word(random.pick(["!!", "item3", "10012", "OL11M", "/works/OL5W", "OL1A", "978-0306406110"])),
      ),
    () => make(null, phrase(randomText(random, 3))),
    () => make(null, { kind: "pattern", parts: [beginning, ""] }),
    () => make(null, { kind: "pattern", parts: ["", ""] }),
    () => make(random.pick(TEXT_FIELDS), word(random.pick(WORDS))),
    () => make(random.pick(TEXT_FIELDS), phrase(randomText(random, 2))),
    () => make(random.pick(TEXT_FIELDS), { kind: "pattern", parts: [beginning, ""] }),
    () =>
      make(
        random.pick([
          "osp_count",
          "isbn",
          "cover_i",
          "subject",
          "lcc",
          "edition_count",
          "publish_year",
          "id_goodreads",
          "author_key",
        ]),
        { kind: "exists" },
      ),
    () => make(random.pick(["publish_year", "first_publish_year"]), range(random, YEARS)),
    () => make("first_publish_year", word(random.pick(YEARS))),
    () => make("edition_count", range(random, ["0", "1", "2", "4", "x"])),
    () =>
      make(
        random.pick(["want_to_read_count", "ratings_count", "readinglog_count"]),
        range(random, ["0", "1", "3", "50", "1000"]),
      ),
    () =>
      make(
        random.pick(["cover_i", "number_of_pages_median", "osp_count"]),
        range(random, ["1", "3", "200", "300"]),
      ),
    () => make("lcc", range(random, [...LCC, "B", "PZ"])),
    () => make("lcc", { kind: "pattern", parts: [random.pick(["P", "PZ-", "A"]), ""] }),
    () => make("ebook_access", range(random, LEVELS)),
    () => make("ebook_access", word(random.pick(LEVELS))),
    () => make(random.pick(["has_fulltext", "public_scan_b"]), word(random.pick(["true", "false", "maybe"]))),
    () => make("language", phrase(random.pick(LANGUAGES))),
    () => make("subject_facet", phrase(random.pick(SUBJECTS))),
    () => make("subject_key", word(random.pick(["science_fiction", "rivers", "c_(computer)"]))),
    () => make("author_key", word(`OL${1 + random.below(6)}A`)),
    () => make("author_key", range(random, ["OL2A", "OL4A", "OL6A"])),
    () =>
      make("publisher_facet", {
        kind: "pattern",
        parts: random.pick([
          ["", "r", ""],
          ["R", "s"],
          ["Lib", ""],
        ]),
      }),
    () => make("author_facet", phrase("OL1A Anna O'Brien")),
    () => make("id_goodreads", word(`Gr-${random.below(9)}`)),
    () => make(random.pick(["oclc", "lccn"]), word(String(10_000 + random.below(70)))),
    () => make("no_such_field", word("x")),
    () => randomEditionLeaf(random),
  ])();
}

/** A query of any shape, up to a depth. */
export function randomQuery(random: Random, depth = 3): Query {
  if (depth === 0 || random.chance(0.35)) return randomLeaf(random);
  if (random.chance(0.2)) return not(randomQuery(random, depth - 1));
  const of = Array.from({ length: 1 + random.below(3) }, () => randomQuery(random, depth - 1));
  return { op: random.chance(0.6) ? "and" : "or", of };
}
