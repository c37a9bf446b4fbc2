import type { NaiveCondition, NaiveValue } from "./naive-query.ts";
import type { Random } from "./random.ts";
import { author, authorKey, edition, editionKey, work, workKey } from "./records.ts";
import type { TestRecord } from "./service.ts";

const WORDS = ["Rock", "and", "Roll", "The", "A", "the", "an", "Andes", "tale", "Émile", "x", "100"];
const NAMES = ["Ann", "Bob", "ann", "The Who", "A", ""];
const URLS = ["http://a", "http://b", "/works/OL1W"];
const ISBNS = ["0451526538", "9780451526533", "0-14-032872-6", "junk", "080442957X"];
const SUBJECTS = ["Rivers", "rivers", "Lakes & Seas", "In library"];
const SOURCES = ["amazon", "goodreads", "better.world", "isbn"];
const OWNERS = 12;

type Members = Record<string, unknown>;

/** A small catalog in which everything that a query can look at occurs, and much of it more than once. */
export function randomCatalog(random: Random, size: number): TestRecord[] {
  return Array.from({ length: size }, (_, index) => randomRecord(random, index + 1));
}

function randomRecord(random: Random, id: number): TestRecord {
  const modified = `2026-11-0${1 + random.below(9)}T00:00:0${random.below(10)}.000000`;
  const shared = { ...title(random), ...some(random, anyMembers(random)), modified };
  if (random.chance(0.05)) return { key: workKey(id), type: "/type/delete", modified };
  if (random.chance(0.05)) return { key: editionKey(id), type: "/type/redirect", location: editionKey(1) };
  if (random.chance(0.2)) return author(id, { ...shared, ...some(random, authorMembers(random)) });
  if (random.chance(0.4)) return work(id, { ...shared, ...some(random, workMembers(random)) });
  return edition(id, { ...shared, ...some(random, editionMembers(random)) });
}

function randomTitle(random: Random): string {
  return Array.from({ length: 1 + random.below(5) }, () => random.pick(WORDS)).join(" ");
}

function title(random: Random): Members {
  return { title: random.chance(0.9) ? randomTitle(random) : 100 };
}

function some(random: Random, members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(() => random.chance(0.5)));
}

function several<Value>(random: Random, values: readonly Value[]): Value[] {
  return Array.from({ length: random.below(4) }, () => random.pick(values));
}

function references(random: Random, keyOf: (id: number) => string): { key: string }[] {
  return several(random, [1, 2, 3, OWNERS]).map((id) => ({ key: keyOf(id) }));
}

function anyMembers(random: Random): Members {
  const links = several(random, URLS).map((url) => ({ title: random.pick(NAMES), url }));
  return {
    name: random.pick(NAMES),
    links,
    covers: several(random, [1, 2, -1]),
    notes: random.pick<unknown>([{ type: "/type/text", value: "Rivers" }, "Rivers"]),
    odd: random.pick<unknown>([true, 1.5, null, 1, "1", {}, [], { deep: { deeper: ["x", 1] } }]),
  };
}

function authorMembers(random: Random): Members {
  return {
    remote_ids: { wikidata: random.pick(["Q1", "Q2", " Q1 "]) },
    birth_date: random.pick(["1900", ""]),
  };
}

function workMembers(random: Random): Members {
  const authors = references(random, authorKey).map((one) => ({ author: one, role: random.pick(NAMES) }));
  return {
    authors,
    subjects: several(random, SUBJECTS),
    number_of_editions: random.below(3),
    identifiers: { [random.pick(SOURCES)]: several(random, ["1", "2"]) },
  };
}

function editionMembers(random: Random): Members {
  return {
    works: references(random, workKey),
    authors: references(random, authorKey),
    languages: several(random, ["eng", "fre"]).map((code) => ({ key: `/languages/${code}` })),
    isbn_10: several(random, ISBNS),
    isbn_13: several(random, ISBNS),
    lccn: several(random, ["sa 64009056", "sa64-9056", "not one"]),
    oclc_numbers: several(random, ["12345", "ocm00012345", "x"]),
    ocaid: random.pick(["scan1", "scan2"]),
    source_records: several(random, ["ia:scan1", "marc:x"]),
    number_of_pages: random.below(4),
    subjects: several(random, SUBJECTS),
    identifiers: { [random.pick(SOURCES)]: several(random, ["1", "2"]) },
  };
}

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  name: NAMES,
  "links.url": URLS,
  "links.title": NAMES,
  subjects: SUBJECTS,
  notes: ["Rivers"],
  odd: ["1", "true"],
  "odd.deep.deeper": ["x"],
  isbn_10: ISBNS,
  isbn_13: ISBNS,
  lccn: ["sa 64009056", "sa64009056", "not one"],
  oclc_numbers: ["12345", "ocm00012345", "x"],
  ocaid: ["scan1", "scan3"],
  source_records: ["ia:scan1", "marc:y"],
  birth_date: ["1900", ""],
  "authors.role": NAMES,
  "remote_ids.wikidata": ["Q1", " Q1 ", "Q3"],
  "identifiers.amazon": ["1", "3"],
  "identifiers.isbn": ["1", "0451526538"],
  nothing: ["x"],
};
const NUMBERS = ["covers", "odd", "odd.deep.deeper", "number_of_pages", "number_of_editions", "title"];
const REFERENCES: Readonly<Record<string, (id: number) => string>> = {
  works: workKey,
  authors: authorKey,
  "authors.author": authorKey,
  languages: (id) => ["/languages/eng", "/languages/fre", "/languages/ger"][id % 3]!,
  odd: workKey,
};
const COMPARING = ["=", "=", "=", "=", "!=", "<", "<=", ">", ">="];

/** A condition that some of the records may meet. */
export function randomCondition(random: Random): NaiveCondition {
  const kind = random.below(10);
  if (kind < 2) return titleCondition(random);
  if (kind < 4) return condition(random, random.pick(NUMBERS), () => ({ number: random.below(4) - 1 }));
  if (kind < 7) {
    const path = random.pick(Object.keys(REFERENCES));
    return condition(random, path, () => ({ key: REFERENCES[path]!(1 + random.below(4)) }));
  }
  if (kind === 7) return keyCondition(random);
  const path = random.pick(Object.keys(TEXTS));
  return condition(random, path, () => ({ text: random.pick(TEXTS[path]!) }));
}

function condition(random: Random, path: string, value: () => NaiveValue): NaiveCondition {
  const operator = random.pick(COMPARING);
  const count = operator === "=" && random.chance(0.3) ? random.below(4) : 1;
  return { path, operator, values: Array.from({ length: count }, value) };
}

function titleCondition(random: Random): NaiveCondition {
  const whole = randomTitle(random);
  if (random.chance(0.3)) return condition(random, "title", () => ({ text: whole }));
  const prefix = whole.slice(0, 1 + random.below(whole.length));
  return { path: "title", operator: "~", values: [{ text: `${prefix}*` }] };
}

function keyCondition(random: Random): NaiveCondition {
  const keyOf = random.pick([authorKey, workKey, editionKey]);
  if (random.chance(0.2))
    return { path: "key", operator: "~", values: [{ text: `${keyOf(1).slice(0, -1)}*` }] };
  return condition(random, "key", () => ({ text: keyOf(1 + random.below(60)) }));
}
