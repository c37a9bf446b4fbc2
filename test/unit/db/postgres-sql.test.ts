import { describe, expect, it } from "vitest";
import { toPostgres } from "../../../src/db/postgres-sql.ts";

describe("a statement for PostgreSQL", () => {
  it.each([
    ["placeholders", "SELECT ?2, ?1, '?3'", "SELECT $2, $1, '?3'"],
    ["placeholders without a number", "SELECT ? WHERE x = ?", "SELECT $1 WHERE x = $2"],
    ["names in camelCase", "SELECT a.b AS lastModified, 'aB'", `SELECT a.b AS "lastModified", 'aB'`],
    ["a named index", "SELECT 1 FROM a INDEXED BY a_by_b WHERE b = 1", "SELECT 1 FROM a WHERE b = 1"],
    ["no index", "SELECT 1 FROM a NOT INDEXED WHERE b = 1", "SELECT 1 FROM a WHERE b = 1"],
    [
      "a column without its index",
      "WHERE +a = 1 AND (+b IN (1)) AND c + 1 = 2 + 3",
      "WHERE a = 1 AND (b IN (1)) AND c + 1 = 2 + 3",
    ],
    [
      "the order of joins",
      "FROM a CROSS JOIN b ON b.x = a.x WHERE 1 = 1",
      "FROM a JOIN b ON b.x = a.x WHERE 1 = 1",
    ],
    [
      "a join with all",
      "FROM a CROSS JOIN b, c CROSS JOIN d ON d.x = 1",
      "FROM a CROSS JOIN b, c JOIN d ON d.x = 1",
    ],
    [
      "a join without a condition",
      "FROM a JOIN b LEFT JOIN c ON c.x = 1",
      "FROM a CROSS JOIN b LEFT JOIN c ON c.x = 1",
    ],
    [
      "joins in a subquery of a condition",
      "FROM a CROSS JOIN b ON b.x = (SELECT 1 FROM c CROSS JOIN d) CROSS JOIN e",
      "FROM a JOIN b ON b.x = (SELECT 1 FROM c CROSS JOIN d) CROSS JOIN e",
    ],
    [
      "nameless subqueries",
      "SELECT * FROM (SELECT * FROM (SELECT 1) a) WHERE x IN (SELECT 2)",
      "SELECT * FROM (SELECT * FROM (SELECT 1) a) AS nameless1 WHERE x IN (SELECT 2)",
    ],
    ["parts of documents", "d->>'$.a[0].b' || (d -> '$.\"c d\"')", "d#>>'{a,0,b}' || (d #> '{c d}')"],
    [
      "parts of elements",
      "e.value->>1, value->>'key', e.value",
      "e.element#>>'{1}', element#>>'{key}', e.value",
    ],
    [
      "functions",
      "json_each(json_array(1)), json_object('a', max(b, 1))",
      "carrel.json_each(json_build_array(1)), json_build_object('a', max(b, 1))",
    ],
    ["a bound path", "e.value -> ?1", "e.value -> $1"],
    [
      "patterns",
      "a GLOB 'x*' OR a COLLATE BINARY LIKE ?1",
      `a OPERATOR(carrel.~~~) 'x*' OR a COLLATE "C" ILIKE $1`,
    ],
    [
      "comments",
      "SELECT 1 -- don't\n FROM a CROSS JOIN b ON true",
      "SELECT 1 -- don't\n FROM a JOIN b ON true",
    ],
  ])("has %s", (_what, sql, postgres) => {
    const words = (text: string): string => text.replace(/\s+/g, " ").trim();
    expect(words(toPostgres(sql))).toBe(words(postgres));
  });
});
