import { describe, expect, it } from "vitest";
import { matchTextOf } from "../../../../src/search/plan/match.ts";
import { planEditionClauses } from "../../../../src/search/plan/editions.ts";
import { splitPlan } from "../../../../src/search/plan/plan.ts";
import { planQuery } from "../../../../src/search/plan/plan-query.ts";
import {
  QUERY_WORDS_MAX,
  TooBroadError,
  TooBroadPartError,
  checkBreadth,
  checkConditions,
  checkWords,
} from "../../../../src/search/plan/too-broad.ts";
import { WORK_FIELDS, matchYears } from "../../../../src/search/plan/field-conditions.ts";
import { parseWorkQuery } from "../../../../src/search/query/parse-query.ts";
import { type Query, between, equals, not } from "../../../../src/search/query/query.ts";

const NO_TERMS = new Map<string, string[]>();

function planOf(text: string) {
  const { query: works } = parseWorkQuery(text, { prefix: "OL" });
  return planQuery(works, { scheme: WORK_FIELDS, vocabulary: NO_TERMS });
}

function expressionOf(text: string): string | undefined {
  const driven = splitPlan(planOf(text));
  return driven?.match === undefined ? undefined : matchTextOf(driven.match);
}

const ALL_COLUMNS =
  "alternative_title author_name series_name chapter author_alternative_name subject place person time publisher contributor number";

describe("expressions", () => {
  it.each([
    ["hobbit", `{${ALL_COLUMNS}} : "hobbit"`],
    ['title:"the hobbit"', '{alternative_title} : "the hobbit"'],
    ["title:running", '{alternative_title} : "run"'],
    ["author_name:running", '{author_name} : "running"'],
    ["title:harry*", '{alternative_title} : "harry" * OR {alternative_title} : "harri"'],
    ["author:harry*", '{author_name} : "harry" * OR {author_alternative_name} : "harry" *'],
    ["title:wi-fi", '{alternative_title} : "wi fi" OR {alternative_title} : "wifi"'],
    ["title:tv author_name:anna", '(ORTV) AND {author_name} : "anna"'],
    ["language:eng", '"l=eng"'],
    ["language:eng -language:ger", '"l=eng" NOT "l=ger"'],
    ["-language:ger", '"ea=0" NOT "l=ger"'],
    ["-language:ger -language:fre", '"ea=0" NOT ("l=ger" OR "l=fre")'],
    ["ebook_access:borrowable", '"ea=3" NOT "ea=4"'],
    ["ebook_access:[borrowable TO *]", '"ea=3"'],
    ["has_fulltext:true", '"ea=2"'],
    ["author_key:OL1A", '"ak=_4f_4c1_41"'],
    ["id_goodreads:12*", '"x.goodreads=12" *'],
    ["subject:*", '"h=subject"'],
    ["lcc:NC760*", '"lc=_4e_43_2d0760" *'],
    [
      "first_publish_year:[1990 TO 2005]",
      yearsText("fy", ["fyd=199", "fy=2000", "fy=2001", "fy=2002", "fy=2003", "fy=2004", "fy=2005"]),
    ],
    ["publish_year:1999", '"y=1999"'],
    ["language:eng language:eng", '"l=eng"'],
    ['oclc:"12 AND 3"', '{number} : "12 and 3" OR "o=12_20_41_4e_44_203"'],
  ])("%s", (text, expression) => {
    const wanted = expression.replace("ORTV", tvText());
    expect(expressionOf(text)?.split(" OR ").sort()).toEqual(wanted.split(" OR ").sort());
  });

  // Q651
  it.each([
    ["oclc:123", ['"o=123"', '"o=00000123"', '{number} : "ocm 00000123"', '{number} : "ocolc 123"']],
    ["oclc:(OCoLC)ocm00000123", ['"o=123"', '{number} : "ocm 00000123"']],
    ["oclc:on1234567890", ['"o=1234567890"', '{number} : "ocolc 1234567890"']],
    ["lccn:62000298", ['"n=62000298"', '"n=62_2d298"', '"n=62_2d000298"']],
    ["lccn:agr62-298", ['"n=agr62000298"', '{number} : "agr 62000298"', '{number} : "agr 62 298"']],
    ["ocm12345678", ['"o=12345678"']],
    ["2001-627090", ['"i=2001627090"', '"n=2001627090"', '"n=2001_2d627090"']],
  ])("finds library numbers in any spelling: %s", (text, parts) => {
    for (const part of parts) expect(expressionOf(text)).toContain(part);
  });

  it("compares numbers as a whole", () => {
    for (const text of ["oclc:123", "lccn:62000298"]) {
      expect(expressionOf(text)).not.toMatch(/\{number\} : "\d+"|\*/);
    }
    expect(expressionOf("1984")).not.toContain("ocm");
  });

  it("looks for text with a digit among identifiers", () => {
    for (const token of ["ia=", "i=", "o=", "n=", "ek=", "ak=", "sr=", "sp=", "k="]) {
      expect(expressionOf("foo12")).toContain(`"${token}foo12"`);
    }
  });

  it.each([
    "first_publish_year:abc",
    "ebook_access:foo",
    "first_publish_year:>1990",
    "has_fulltext:maybe",
    "edition_count:1.5",
    "publish_year:[2005 TO 1990]",
    "publish_year:[x TO 1990]",
    '"!!!"',
    "title:*xy*",
  ])("%s matches nothing", (text) => {
    expect(splitPlan(planOf(text))).toBeUndefined();
  });

  it("quotes all input", () => {
    for (const text of [
      'title:"a\\" OR b"',
      "title:a\\:b",
      'ia:x\\"y',
      "a NEAR b",
      "{title}\\:x",
      "^a",
      "a \\+ b",
    ]) {
      const unquoted = (expressionOf(text) ?? "").replaceAll(/"(?:[^"]|"")*"/g, "Q");
      expect(unquoted).toMatch(/^[{}a-z_ :Q()*]*(?:(?:AND|OR|NOT)[{}a-z_ :Q()*]*)*$/);
      expect(unquoted).not.toMatch(/NEAR|\^/);
    }
  });
});

function yearsText(_code: string, tokens: readonly string[]): string {
  return tokens.map((token) => `"${token}"`).join(" OR ");
}

function tvText(): string {
  return ["tv", "televis", "tv"]
    .filter((token, at, all) => all.indexOf(token) === at)
    .map((token) => `{alternative_title} : "${token}"`)
    .join(" OR ");
}

describe("years", () => {
  const covered = (from: number, to: number): number[] => {
    const match = matchYears("y", from, to);
    const texts =
      match === undefined
        ? []
        : [
            ...matchTextOf(match)
              .replaceAll("=_2d", "=-")
              .matchAll(/"(y[dc]?)=(-?\d+)"/g),
          ];
    return texts
      .flatMap(([, code, text]) => {
        const size = code === "yc" ? 100 : code === "yd" ? 10 : 1;
        return Array.from({ length: size }, (_empty, at) => Number(text) * size + at);
      })
      .sort((a, b) => a - b);
  };

  it.each([
    [1999, 1999],
    [1990, 2005],
    [1901, 2098],
    [0, 2999],
    [-405, 3],
    [-4000, -2999],
    [2990, 4000],
  ])("covers %i to %i exactly once", (from, to) => {
    const [first, last] = [Math.max(-3000, from), Math.min(2999, to)];
    expect(covered(from, to)).toEqual(Array.from({ length: last - first + 1 }, (_empty, at) => first + at));
  });

  it("covers nothing for a reversed or distant range", () => {
    expect(matchYears("y", 5, 4)).toBeUndefined();
    expect(matchYears("y", 3000, 4000)).toBeUndefined();
  });
});

describe("editions", () => {
  const language = equals("language", "eng");
  const readable = between("ebook_access", "borrowable", null);
  const notPublic = not(equals("ebook_access", "public"));
  const publisher = equals("publisher", "penguin");
  const kindOf = (clauses: Query[], works: Query[]): string => {
    const plan = planEditionClauses({ clauses, works, vocabulary: NO_TERMS });
    return plan.kind === "match" ? matchTextOf(plan.match) : plan.kind;
  };

  it.each([
    ["nothing", [], [], "all"],
    ["a filter of the works", [language], [language], "all"],
    ["access alone", [readable, notPublic], [readable, notPublic], "all"],
    ["language and access", [language, readable], [language, readable], '"le=eng.3"'],
    ["a field of editions", [publisher, language], [publisher, language], "edition"],
    ["not public, in a language", [language, notPublic], [language, notPublic], "edition"],
    ["an edition clause alone", [publisher], [], '("ea=0" NOT "h=edition_5fkey") OR {publisher} : "penguin"'],
    ["an edition's title", [equals("title", "foo")], [], "edition"],
    ["fields of works", [equals("author_name", "foo")], [], "all"],
  ] satisfies [string, Query[], Query[], string][])("%s", (_name, clauses, works, kind) => {
    expect(kindOf(clauses, works)).toBe(kind);
  });
});

describe("breadth", () => {
  const prefix = (text: string): Query => ({
    op: "match",
    field: null,
    value: { kind: "pattern", parts: [text, ""] },
    boost: 1,
  });

  it("accepts a limited number of wildcards", () => {
    checkBreadth([prefix("a"), prefix("b"), prefix("c"), prefix("d")]);
    expect(() => checkBreadth([..."abcde"].map(prefix))).toThrow(TooBroadError);
    const long = Array.from({ length: 33 }, (_empty, at) => prefix(`long${at}`));
    checkBreadth(long.slice(0, 32));
    expect(() => checkBreadth(long)).toThrow(TooBroadError);
  });

  it("accepts a limited number of words in texts", () => {
    const isText = (field: string | null): boolean => field !== "key";
    const phrases = (count: number): Query[] => [
      ...Array.from({ length: count / 32 }, () => equals("title", "a ".repeat(32))),
      equals("title", "a ".repeat(count % 32)),
      equals("key", "a-".repeat(999)),
    ];
    checkWords(phrases(QUERY_WORDS_MAX), isText);
    expect(() => checkWords(phrases(QUERY_WORDS_MAX + 1), isText)).toThrow(TooBroadError);
    expect(() => checkWords([prefix("a-".repeat(QUERY_WORDS_MAX + 1))], isText)).toThrow(TooBroadError);
  });

  it.each([
    ["a phrase of 32 words", equals("title", "wi-fi ".repeat(16)), true],
    ["a phrase of 33 words", equals("title", "wi-fi ".repeat(16) + "x"), false],
    ["a compound of 33 words", prefix("a)".repeat(33)), false],
    ["a long title of a script without blanks", equals("title", "転生".repeat(30)), true],
  ])("%s is accepted: %s", (_, query, isAccepted) => {
    const check = () => checkWords([query], () => true);
    if (isAccepted) check();
    else expect(check).toThrow(TooBroadPartError);
  });

  it("accepts a limited number of wildcards inside words", () => {
    const inner = (text: string): Query => ({
      op: "match",
      field: null,
      boost: 1,
      value: { kind: "pattern", parts: ["", text, ""] },
    });
    expect(() => checkBreadth(["abc", "bcd", "cde", "def", "efg"].map(inner))).toThrow(TooBroadError);
  });

  it("accepts a limited number of numbers", () => {
    const plans = Array.from({ length: 17 }, (_empty, at) => planOf(`cover_i:${at}`));
    checkConditions(plans.slice(0, 16));
    expect(() => checkConditions(plans)).toThrow(TooBroadError);
  });
});
