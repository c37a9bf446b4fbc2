import { describe, expect, it } from "vitest";
import { matchTextOf } from "../../../../src/search/plan/match.ts";
import { type PlainPlan, planPlainQuery } from "../../../../src/search/plan/plain-query.ts";
import { parsePlainQuery } from "../../../../src/search/query/parse-query.ts";
import { anyOf, between, equals } from "../../../../src/search/query/query.ts";

/** A plan in short. */
function print(plan: PlainPlan): string {
  switch (plan.kind) {
    case "match":
      return `<${matchTextOf(plan.match)}>`;
    case "compare":
      return `${plan.column}${plan.operator}${plan.value}`;
    case "present":
      return `has ${plan.member}`;
    case "not":
      return `not(${print(plan.of)})`;
    case "and":
    case "or":
      return `${plan.kind}(${plan.of.map(print).join(", ")})`;
    default:
      return plan.kind;
  }
}
const planned = (text: string, scheme: "author" | "subject" | "list") =>
  print(planPlainQuery(parsePlainQuery(text, scheme).query, scheme));

describe("planPlainQuery", () => {
  it.each([
    ["mark", '<{name alternate_names} : "mark">'],
    ["mark NOT twain", '<{name alternate_names} : "mark" NOT {name alternate_names} : "twain">'],
    ["NOT mark", 'not(<{name alternate_names} : "mark">)'],
    ["work_count:[2 TO *]", "work_count>=2"],
    ["work_count:{2 TO 5]", "and(work_count>2, work_count<=5)"],
    ["work_count:x", "none"],
    ["work_count:*", "all"],
    ["birth_date:*", "has birth_date"],
    ["birth_date:[1800 TO 1900]", "and(birth_date>=1800, birth_date<=1900)"],
    ["name:[a TO b]", "none"],
    ["name:*ark", "none"],
    ["name:mar*", '<{name} : "mar" *>'],
    ["key:OL1A", '<"k=_4f_4c1_41">'],
    ["mark AND work_count:3", 'and(<{name alternate_names} : "mark">, work_count=3)'],
    ["!!!", "none"],
  ])("author: %s", (text, expected) => {
    expect(planned(text, "author")).toBe(expected);
  });

  it.each([
    ["cats", '<{name} : "cat">'],
    ["subject_type:place", '<"ty=place">'],
    ['key:"/subjects/cats"', "key=/subjects/cats"],
  ])("subject: %s", (text, expected) => {
    expect(planned(text, "subject")).toBe(expected);
  });

  it("keeps conditions that the full-text table cannot check", () => {
    const shown = anyOf([between("seed_count", "2", null), equals("list_type", "series")]);
    expect(print(planPlainQuery({ op: "and", of: [equals("name", "sea"), shown] }, "list"))).toBe(
      'and(<{name} : "sea">, or(<"lt=series">, seed_count>=2))',
    );
  });

  it("finds nothing by fields that a scheme lacks", () => {
    expect(print(planPlainQuery(equals("isbn", "x"), "author"))).toBe("none");
  });
});
