import { expect, test } from "vitest";
import { generateQuery } from "../../../../bench/lib/query-generator.ts";
import { clausesOf } from "../../../../src/search/query/work-parameters.ts";
import { parsePlainQuery, parseWorkQuery } from "../../../../src/search/query/parse-query.ts";
import type { Query } from "../../../../src/search/query/query.ts";
import { HOSTILE, randomStream, randomText } from "../../catalog/random.ts";

const QUERIES = 2_500;
const SEED = 3;
const OPTIONS = { prefix: "OL" };

test("any text parses to a well-formed query", () => {
  const random = randomStream(SEED);
  for (let count = 0; count < QUERIES; count += 1) {
    const text = count % 10 === 0 ? randomText(random, HOSTILE, 30) : generateQuery(random);
    const parsed = parseWorkQuery(text, OPTIONS);
    for (const query of [parsed.query, ...parsed.editionClauses]) expectSound(query, text);
    expectSound(parsePlainQuery(text, "author").query, text);
    for (const clause of clausesOf({ title: text, author: text, isbn: text }, OPTIONS).clauses) {
      expectSound(clause, text);
    }
  }
});

const BOUND = 8_000;

test.each([
  ..."()[]{}\"':^~*?/\\+-,. aT1",
  "a ",
  "a:",
  "a :",
  "title:",
  "title:a ",
  "title:a OR ",
  "\\a",
  '"a" ',
  '"\\',
  "[1 TO 2] ",
  "T10:20",
  "NOT ",
  "(a OR ",
  "^2",
  "1-",
  "OL",
  "lcc:A1 ",
  "ddc:1. ",
])("a long row of %j takes linear time", (part) => {
  const text = part.repeat(BOUND / part.length);
  parseWorkQuery(text, OPTIONS);
  parseWorkQuery(`title:a ${text}a`, OPTIONS);
  clausesOf({ author: text, isbn: text }, OPTIONS);
});

/** Connectives join two or more, nothing is negated twice, and everything is well-formed. */
function expectSound(query: Query, text: string): void {
  if (query.op === "and" || query.op === "or") {
    if (query.of.length < 2) expect.fail(`${text}: ${query.op} of ${query.of.length}`);
    for (const part of query.of) {
      if (query.op === part.op) expect.fail(`${text}: ${query.op} in itself`);
      expectSound(part, text);
    }
  } else if (query.op === "not") {
    if (["not", "all", "none"].includes(query.of.op)) expect.fail(`${text}: not ${query.of.op}`);
    expectSound(query.of, text);
  } else if (query.op === "match") {
    if (!(query.boost >= 0 && Number.isFinite(query.boost))) expect.fail(`${text}: boost ${query.boost}`);
  }
}
