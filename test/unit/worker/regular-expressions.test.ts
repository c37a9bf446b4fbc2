// Every regular expression of the sources, written or put together, takes time in proportion to the text that it meets.
import { parseAst } from "vitest/node";
import { analyse } from "scslre";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sourceFiles } from "../../../scripts/lib/sources.mjs";
import { planQuery } from "../../../src/db/query/plan.ts";
import { parseQuery } from "../../../src/catalog/query/parse.ts";

interface Expression {
  readonly source: string;
  readonly flags: string;
  /** Where it stands. */
  readonly at: string;
}

/** What the analysis suspects, because it does not see that what follows always fits, and why nothing is lost. */
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

/** By what they are, as many stand in several places. */
const literals = new Map<string, Expression>();
const constructed = new Map<string, Expression>();
const all = (): Expression[] => [...new Map([...literals, ...constructed]).values()];

function collect(node: unknown, at: string): void {
  if (typeof node !== "object" || node === null) return;
  const { type, regex } = node as { type?: unknown; regex?: { pattern: string; flags: string } };
  if (type === "Literal" && regex !== undefined)
    literals.set(`${regex.pattern}/${regex.flags}`, { source: regex.pattern, flags: regex.flags, at });
  else for (const child of Object.values(node)) collect(child, at);
}

beforeAll(async () => {
  const files = await sourceFiles("src", /\.ts$/);
  for (const { name, text } of files) collect(parseAst(text, { lang: "ts" }), name);
  const at = "put together";
  vi.stubGlobal(
    "RegExp",
    new Proxy(RegExp, {
      construct(target, parts: [string, string?]) {
        const made = new target(...parts);
        constructed.set(String(made), { source: made.source, flags: made.flags, at });
        return made;
      },
    }),
  );
  vi.resetModules();
  const { createApp } = await import("../../../src/worker/app.ts");
  createApp("OL");
  vi.unstubAllGlobals();
}, 60_000);

describe("regular expressions", () => {
  it("are found", () => {
    expect(literals.size).toBeGreaterThan(400);
    expect(constructed.size).toBeGreaterThan(300);
    expect([...constructed.keys()]).toContain(String.raw`/^[\w-]{3,20}$/`);
  });

  it("have no part that would be tried again and again", () => {
    const suspected = all().filter(({ source, flags }) => analyse({ source, flags }).reports.length > 0);
    expect(suspected.filter(({ source }) => !HARMLESS.has(source))).toEqual([]);
    expect(new Set(suspected.map(({ source }) => source))).toEqual(new Set(HARMLESS.keys()));
  });

  it("are quick with hostile texts", () => {
    const slow = all().flatMap(({ source, flags, at }) => {
      const expression = new RegExp(source, flags);
      const text = hostileTexts(source).find((one) =>
        isSlow((length) => one(length).replace(expression, ""), LENGTH),
      );
      return text === undefined ? [] : [{ at, source, text: `${text(10)}…` }];
    });
    expect(slow).toEqual([]);
  });

  it("would be told if they were slow", () => {
    expect(isSlow((length) => "a".repeat(length).replace(/a+b/, ""), LENGTH)).toBe(true);
  });
});

it.each([" ", " and", " a", "\t ", "the "])(
  "a beginning of a title of %j alone is planned at once",
  (blank) => {
    const plan = (length: number) => {
      const query = parseQuery({ type: "/type/work", "title~": `${blank.repeat(length)}!*` });
      return planQuery(query, { shown: "key", scanRecords: 1 });
    };
    expect(isSlow(plan, 14_000)).toBe(false);
  },
);

/** Characters of a hostile text. What takes time in proportion to them needs some hundredths of a millisecond. */
const LENGTH = 5000;
const QUICK_MS = 10;
const USUAL = [..." \t\n0aA.,-_:;/\\|\"'*&=?!<>()[]{}@#%^$~é\u0301"];
const ENDS = ["", "\u0000", "\n!"];

/** What an expression names, one after the other, over and over: texts by their length. */
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

/** True when a text of four times the length takes more than eight times as long, whatever the machine; what is quick is not. */
function isSlow(run: (length: number) => unknown, length: number): boolean {
  if (bestTime(() => run(length), QUICK_MS) <= QUICK_MS) return false;
  const part = bestTime(() => run(length / 4), 0);
  return bestTime(() => run(length), 8 * part) > 8 * part;
}

/** Milliseconds that something takes, until it is quick enough: on a busy machine the first times may be of others. */
function bestTime(run: () => unknown, enough: number): number {
  let best = Infinity;
  for (let turn = 0; turn < 5 && best > enough; turn += 1) {
    const started = performance.now();
    run();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
