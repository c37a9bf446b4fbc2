// Every regular expression of the sources, written or put together, takes time in proportion to the text that it meets.
import { parseAst } from "vitest/node";
import { analyse } from "scslre";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sourceFiles } from "../../../scripts/lib/sources.ts";
import { pathPattern } from "../../../src/worker/http/paths.ts";
import { ROUTES } from "../../../src/worker/routes.ts";
import { planRecordQuery } from "../../../src/db/query/run-query.ts";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";
import { growsTooFast } from "../growth.ts";

interface Expression {
  readonly source: string;
  readonly flags: string;
  /** File and line. */
  readonly at: string;
}

/** False positives with the reason: the analysis does not see that the rest of the expression always matches. */
const HARMLESS: ReadonlyMap<string, string> = new Map([
  [
    String.raw`(?:([\w.]+)=)?("[^"]*"|'[^']*'|[^\s"']+)`,
    "a name without a value is a bare text as far as it was read; quotation marks are all closed",
  ],
  [
    String.raw`\s*(?:"((?:[^"]|"")*)"([^,]*)|([^,]*))(?:,|$)`,
    "after the last quotation mark everything fits: a comma ends the value, or the text does",
  ],
]);

/** Finds files that may have a literal: a slash that follows an operator, a bracket, a word or the beginning of a line. */
const LITERAL = /(?:^|[^"'`/\w\s.)\]$*<]|\b(?:return|case|of|in|typeof))[ \t]*\/(?![*/])/m;

/** By what they are, as many stand in several places. */
const literals = new Map<string, Expression>();
const constructed = new Map<string, Expression>();
/** Only an expression with an unbounded repetition can take more than time in proportion to the text. */
const UNBOUNDED = /[*+]|\{\d+,\}/;
const repeating = (): Expression[] =>
  [...new Map([...literals, ...constructed]).values()].filter(({ source }) => UNBOUNDED.test(source));

function collect(node: unknown, at: string): void {
  if (typeof node !== "object" || node === null) return;
  const { type, regex } = node as { type?: unknown; regex?: { pattern: string; flags: string } };
  if (type === "Literal" && regex !== undefined)
    literals.set(`${regex.pattern}/${regex.flags}`, { source: regex.pattern, flags: regex.flags, at });
  else for (const child of Object.values(node)) collect(child, at);
}

function note(expression: RegExp): RegExp {
  const { source, flags } = expression;
  constructed.set(String(expression), { source, flags, at: "constructed" });
  return expression;
}

beforeAll(async () => {
  const files = await sourceFiles("src", /\.ts$/);
  for (const { name, text } of files) {
    if (LITERAL.test(text)) collect(parseAst(text, { lang: "ts" }), name);
  }
  vi.stubGlobal(
    "RegExp",
    new Proxy(RegExp, {
      construct(target, parts: [string, string?]) {
        return note(new target(...parts));
      },
    }),
  );
  // Other tests may have loaded these files before: the query makes them modules of their own, which construct anew.
  for (const { name } of files.filter(({ text }) => text.includes("new RegExp("))) {
    await import(/* @vite-ignore */ `../../../${name}?constructing`);
  }
  vi.unstubAllGlobals();
  // Compiled on first use, which may have been in another test.
  for (const route of ROUTES) note(pathPattern(route, "OL").expression);
}, 60_000);

describe("regular expressions", () => {
  it("are collected from literals and constructors", () => {
    expect(literals.size).toBeGreaterThan(400);
    expect(constructed.size).toBeGreaterThan(300);
    expect([...constructed.keys()]).toContain(String.raw`/^[\w-]{3,20}$/`);
  });

  it("have no ambiguous repetition", () => {
    const suspected = repeating().filter(
      ({ source, flags }) => analyse({ source, flags }).reports.length > 0,
    );
    expect(suspected.filter(({ source }) => !HARMLESS.has(source))).toEqual([]);
    expect(new Set(suspected.map(({ source }) => source))).toEqual(new Set(HARMLESS.keys()));
  });

  it("take linear time for hostile texts", () => {
    const slow = repeating().flatMap(({ source, flags, at }) => {
      const expression = new RegExp(source, flags);
      const text = hostileTexts(source).find((one) =>
        growsTooFast((length) => one(length).replace(expression, ""), LENGTH),
      );
      return text === undefined ? [] : [{ at, source, text: `${text(10)}…` }];
    });
    expect(slow).toEqual([]);
  });

  it("would fail the comparison with quadratic time", () => {
    expect(growsTooFast((length) => "a".repeat(length).replace(/a+b/, ""), LENGTH)).toBe(true);
  });
});

it.each([" ", " and", " a", "\t ", "the "])(
  "planning a title prefix of repeated %j takes linear time",
  (blank) => {
    const plan = (length: number) => {
      const query = parseQuery({ type: "/type/work", "title~": `${blank.repeat(length)}!*` });
      return planRecordQuery(query, { shown: "key", scanRecords: 1 });
    };
    expect(growsTooFast(plan, 14_000)).toBe(false);
  },
);

/** Characters of a hostile text. A linear run takes some hundredths of a millisecond, a quadratic one 20 ms. */
const LENGTH = 4000;
const USUAL = [..." \t\n0aA.,-_:;/\\|\"'*&=?!<>()[]{}@#%^$~é\u0301"];
const ENDS = ["", "\u0000", "\n!"];

/** Texts that repeat what an expression names, in single characters, pairs and triples, as functions of their length. */
function hostileTexts(source: string): ((length: number) => string)[] {
  const named = [...source.replaceAll(/\\[a-zA-Z]/g, " ").replaceAll("\\", "")];
  const pairs = named.flatMap((one, at) => [
    one + (named[at + 1] ?? ""),
    one + (named[at + 1] ?? "") + (named[at + 2] ?? ""),
  ]);
  const pumps = new Set([...USUAL, ...named, ...pairs]);
  return [...pumps].flatMap((pump) =>
    ENDS.map((end) => (length: number) => pump.repeat(Math.ceil(length / pump.length)) + end),
  );
}
