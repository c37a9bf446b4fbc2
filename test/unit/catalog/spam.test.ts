import { english } from "../../../src/catalog/texts.ts";
import { describe, expect, it } from "vitest";
import {
  SPAM_TEXT_LENGTH,
  SPAM_WORD_LENGTH,
  isSpamAddress,
  isSpamText,
  compileSpamWord,
  readSpamRules,
  textOfDocuments,
} from "../../../src/catalog/spam.ts";

describe("compileSpamWord", () => {
  it.each([
    ["viagra", "buy VIAGRA now"],
    ["cheap.*pills", "cheap little pills"],
    [String.raw`\bcasino\b`, "the casino."],
    ["(?:free|cheap) money", "cheap money"],
    ["a{2,}b", "aaaab"],
    ["[(+*]x", "+x"],
    ["(abc)+d", "abcabcd"],
    ["colou?r", "color"],
    [String.raw`\(\d+\)`, "(12)"],
    ["a+?b", "aab"],
    ["x{", "x{"],
  ])("%s matches %s", (word, text) => {
    const pattern = compileSpamWord(word);
    expect(pattern).toMatchObject({ ok: true });
    expect(pattern.ok && pattern.expression.test(text)).toBe(true);
  });

  it.each([
    ["(a+)+b", "cannot contain repetitions"],
    ["(a*)*", "cannot contain repetitions"],
    ["(a|a)*b", "cannot contain repetitions"],
    ["((a|b)c){2,}", "cannot contain repetitions"],
    ["(?:(?:x?)y)+", "cannot contain repetitions"],
    ["([a-z]+)*", "cannot contain repetitions"],
    ["a+b+c+d+", "More than 3 repetitions"],
    ["a+b{1,50}", "More than 30 repetitions"],
    ["a+b{2,}c{1,20}", "More than 10 repetitions"],
    ["a{1000}", "More than 100 repetitions"],
    ["a{1,1000}", "More than 100 repetitions"],
    [String.raw`(a)\1`, "Backreferences"],
    ["(", "Not a regular expression"],
    ["[a", "Not a regular expression"],
    ["a**", "Not a regular expression"],
    ["", "matches every text"],
    ["a*", "matches every text"],
    ["x".repeat(SPAM_WORD_LENGTH + 1), "longer than 200 characters"],
  ])("refuses %s: %s", (word, problem) => {
    const pattern = compileSpamWord(word);
    expect(pattern.ok ? "" : english(pattern.problem)).toContain(problem);
  });

  it("bounds an open repetition", () => {
    const pattern = compileSpamWord("a.*b");
    expect(pattern.ok && pattern.expression.source).toBe("a.{0,100}b");
  });

  it("shortens several repetitions", () => {
    const pattern = compileSpamWord("a*a+a{2,}?b");
    if (!pattern.ok) throw new Error(english(pattern.problem));
    expect(pattern.expression.source).toBe("a{0,10}a{1,10}a{2,12}?b");
    const started = performance.now();
    expect(pattern.expression.test("a".repeat(20_000))).toBe(false);
    // With a hundred of each it took minutes.
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("readSpamRules", () => {
  const rules = readSpamRules({ spamwords: ["Casino", "(a+)+"], domains: ["Spam.example"] });

  it("skip invalid words", () => expect(rules.words).toHaveLength(1));

  it.each([
    ["x@spam.example", true],
    ["x@SPAM.EXAMPLE", true],
    ["x@mail.spam.example", true],
    ["x@notspam.example", false],
    ["spam.example@example.com", false],
  ])("%s: %s", (email, expected) => expect(isSpamAddress(email, rules)).toBe(expected));

  it("match texts of documents, not keys and types", () => {
    const text = (document: object): string => textOfDocuments([{ ...document }]);
    expect(isSpamText(text({ description: { type: "/type/text", value: "CASINO" } }), rules)).toBe(true);
    expect(isSpamText(text({ subjects: ["one", "a casino"] }), rules)).toBe(true);
    expect(isSpamText(text({ links: [{ url: "http://casino.example", title: "x" }] }), rules)).toBe(true);
    expect(isSpamText(text({ key: "/casino", type: { key: "/type/casino" }, n: 1 }), rules)).toBe(false);
  });

  it("read texts in order up to a limit", () => {
    expect(textOfDocuments([{ a: "1", b: ["2", { c: "3" }] }, { d: "4" }])).toBe("1\n2\n3\n4");
    const long = { a: "x".repeat(SPAM_TEXT_LENGTH), b: "y" };
    expect(textOfDocuments([long, long])).toHaveLength(SPAM_TEXT_LENGTH);
  });

  it("accept documents of any depth", () => {
    let deep: object = { text: "casino" };
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    expect(isSpamText(textOfDocuments([{ deep: { ...deep } }]), rules)).toBe(true);
  });
});
