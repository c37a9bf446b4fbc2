import { describe, expect, it } from "vitest";
import { utf8Length } from "../../../src/catalog/bytes.ts";
import { PARAMETER_BYTES, overList, planOnce } from "../../../src/db/statement.ts";

describe("a list as parameter", () => {
  const parts = (list: readonly unknown[]) =>
    overList(list, "sql").map(({ values }) => JSON.parse(String(values[0])) as unknown[]);

  it("is one part when short, and empty without elements", () => {
    expect(overList([1, "a"], "sql")).toEqual([{ sql: "sql", values: ['[1,"a"]'] }]);
    expect(overList([], "sql")).toEqual([]);
  });

  it.each(["a", "€", '"', "😀"])("is split when long, with all elements in order: %s", (character) => {
    const list = Array.from({ length: 3000 }, (_one, index) => `${index} ${character.repeat(400)}`);
    const found = parts(list);
    expect(found.length).toBeGreaterThan(1);
    expect(found.flat()).toEqual(list);
    for (const part of found) expect(utf8Length(JSON.stringify(part))).toBeLessThanOrEqual(PARAMETER_BYTES);
  });

  it("holds an element longer than a part alone", () => {
    const long = "x".repeat(PARAMETER_BYTES);
    expect(parts([1, long, 2]).map((part) => part.length)).toEqual([1, 1, 1]);
  });
});

it.each([
  ["SELECT 1 LIMIT ?2 OFFSET ?3", "SELECT 1 LIMIT CAST(?2 AS BIGINT) OFFSET CAST(?3 AS BIGINT)"],
  ["DELETE FROM t LIMIT -1 OFFSET ?", "DELETE FROM t LIMIT -1 OFFSET CAST(? AS BIGINT)"],
  ["SELECT limit_of FROM t WHERE a = ?1 LIMIT 5", "SELECT limit_of FROM t WHERE a = ?1 LIMIT 5"],
])("planOnce hides bound limits from the planner: %s", (sql, hidden) => {
  expect(planOnce(sql)).toBe(hidden);
});
