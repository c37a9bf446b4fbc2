import { describe, expect, it } from "vitest";
import {
  matchQuery,
  toLuceneQuery,
  randomFieldsOf,
  randomFunctionsOf,
} from "../../../src/search/lucene/lucene-query.ts";
import { disjoinMatches, matchInColumns, excludeMatch, matchToken } from "../../../src/search/plan/match.ts";

describe("matchQuery", () => {
  it("quotes all input", () => {
    expect(matchQuery(matchInColumns(["title"], ['a"b\\', "c)"]), "work")).toBe(
      String.raw`(work_text_title:"a\"b\\ c)")`,
    );
    expect(matchQuery(matchToken('x="*', true), "work")).toBe(String.raw`(work_token:x\=\"\**)`);
    expect(matchQuery(matchInColumns(["name"], ["a", 'b"'], true), "author")).toBe(
      String.raw`({!complexphrase inOrder=true df=author_text_name v="\"a b\\\"*\""})`,
    );
  });

  it("has operators of the query", () => {
    const [one, other] = [matchToken("a=1"), matchToken("b=2")];
    const either = disjoinMatches([one, other]);
    expect(matchQuery(either, "edition")).toBe('((edition_token:"a=1") (edition_token:"b=2"))');
    expect(matchQuery(excludeMatch(one, other), "work")).toBe('(+(work_token:"a=1") -(work_token:"b=2"))');
    expect(matchQuery({ ...matchInColumns(["title"], ["a"]), first: true }, "work")).toBe(
      '(work_text_title:"⊢ a")',
    );
  });

  it("scores a match by points of its columns", () => {
    const either = disjoinMatches([matchInColumns(["name", "date"], ["a"]), matchToken("k=1")]);
    const pointsOf = (column: string) => (column === "name" ? "11.0" : "0.5");
    expect(matchQuery(excludeMatch(either, matchToken("b=2")), "author", pointsOf)).toBe(
      '(+(((author_text_name:"a")^=11.0 (author_text_date:"a")^=0.5) ((author_token:"k=1")^=0.5)) ' +
        '-(author_token:"b=2"))',
    );
  });
});

describe("toLuceneQuery", () => {
  it("has open and closed ranges and negations", () => {
    const bounds = { from: 1, to: undefined, includesFrom: false, includesTo: true };
    const range = { kind: "number", column: "cover_i", bounds } as const;
    expect(toLuceneQuery({ kind: "not", of: range }, "work")).toBe("(*:* -n_cover_i:{1 TO *])");
    const texts = { from: 'A"', to: "B", includesFrom: true, includesTo: false };
    expect(toLuceneQuery({ kind: "values", field: "lcc", bounds: texts }, "work")).toBe(
      String.raw`v_lcc:["A\"" TO "B"}`,
    );
    const edition = { kind: "edition", match: matchToken("l=eng") } as const;
    expect(toLuceneQuery(edition, "work")).toContain("{!parent which=kind:work");
  });
});

/** Evaluates a function as Solr does: each step is rounded to 24 bits. */
function computed(text: string, fields: Readonly<Record<string, number>>): number {
  const names = ["product", "sum", "floor", "div", "mod"] as const;
  const steps: Record<(typeof names)[number], (...values: number[]) => number> = {
    product: (a = 0, b = 0) => Math.fround(a * b),
    sum: (...values) => values.reduce((sum, value) => Math.fround(sum + value), 0),
    floor: (a = 0) => Math.floor(a),
    div: (a = 0, b = 1) => Math.fround(a / b),
    mod: (a = 0, b = 1) => a % b,
  };
  const known = { ...steps, ...fields };
  // eslint-disable-next-line no-new-func -- the functions are ours, and read like code
  return new Function(...Object.keys(known), `return ${text}`)(...Object.values(known));
}

describe("randomFunctionsOf", () => {
  it.each([
    [0, 1, 0],
    [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1],
    [1_234_567_890, 987_654_321, 55_555],
    [77, 2_147_483_647, 12_345_678],
  ])("hashes %d by %d and %d", (hash, factor, summand) => {
    const digits = randomFunctionsOf(factor, summand).map((text) => computed(text, randomFieldsOf(hash)));
    const wanted = (BigInt(hash) * BigInt(factor) + BigInt(summand)) % 2n ** 31n;
    expect(digits).toEqual(Object.values(randomFieldsOf(Number(wanted))).toReversed());
  });
});
