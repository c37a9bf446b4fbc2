import { describe, expect, it } from "vitest";
import { ResponseTooLarge, ByteBudget } from "../../../../src/catalog/bytes.ts";
import { parseQuery } from "../../../../src/catalog/query/parse-query.ts";
import { QueryError, unreadReferences, selectMembers } from "../../../../src/catalog/query/record-query.ts";
import type { CatalogRecord, Json } from "../../../../src/catalog/record.ts";

const selectionOf = (query: Json) => parseQuery(query).selection;
const nested = (depth: number): Json => (depth === 0 ? {} : { friends: nested(depth - 1) });

/** A record that names itself many times. */
const key = "/lists/OL1L";
const own: CatalogRecord = { key, friends: Array.from({ length: 60 }, () => ({ key })) };
const referenced = new Map([[key, own]]);

describe("nested selections", () => {
  it("are limited to five levels", () => {
    expect(selectionOf(nested(5)).members.has("friends")).toBe(true);
    expect(() => selectionOf(nested(6))).toThrow(QueryError);
  });

  it("spend the byte budget while they are resolved", () => {
    const budget = new ByteBudget(100_000);
    expect(() => selectMembers(own, selectionOf(nested(5)), { referenced, budget })).toThrow(
      ResponseTooLarge,
    );
    const large = { key: "/works/OL1W", notes: "x".repeat(2000) };
    const record = { key, friends: Array.from({ length: 60 }, () => ({ key: large.key })) };
    const resolving = { referenced: new Map([[large.key, large]]), budget: new ByteBudget(100_000) };
    expect(() => selectMembers(record, selectionOf({ friends: { "*": null } }), resolving)).toThrow(
      ResponseTooLarge,
    );
  });

  it("read each record once", () => {
    let reads = 0;
    const counted = new Map([[key, own]]);
    counted.get = (name) => {
      reads += 1;
      return name === key ? own : undefined;
    };
    expect(unreadReferences([own], selectionOf(nested(5)), counted)).toEqual([]);
    // Once for each element and level, not for each path.
    expect(reads).toBeLessThanOrEqual(60 * 6);
  });
});

describe("ByteBudget", () => {
  it.each<[Json, number]>([
    ["text", 6],
    [12, 2],
    [null, 4],
    [["a", 1], 8],
    [{ name: ["a"] }, 16],
  ])("spends about the bytes of %j", (value, bytes) => {
    const length = JSON.stringify(value).length;
    expect(Math.abs(bytes - length)).toBeLessThanOrEqual(2);
    new ByteBudget(bytes).spendJson(value);
    expect(() => new ByteBudget(bytes - 1).spendJson(value)).toThrow(ResponseTooLarge);
  });
});
