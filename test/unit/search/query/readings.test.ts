import { describe, expect, it } from "vitest";
import { RULES, splitWords, joinWords } from "../../../../src/search/query/reading-rules.ts";
import { numberOfPair, numberOfWord, otherFormsOfNumber } from "../../../../src/search/query/number-words.ts";
import { readTyped } from "../../../../src/search/query/readings.ts";
import { beginsWithDash } from "../../../../src/search/query/typed-search.ts";

const read = (q: string, parameters = {}) => {
  const { early, late, names } = readTyped({ q, parameters }, "OL");
  return { readings: [...early, ...late], early: early.length, names };
};
const textsOf = (q: string) => read(q).readings.map(({ text }) => text);

describe("RULES", () => {
  it.each(RULES.map(({ name, example, read: apply }) => [name, ...example, apply] as const))(
    "%s: %s",
    (_name, typed, expected, apply) => expect(joinWords(apply(splitWords(typed)))).toBe(expected),
  );

  it.each(["The", "A Novel", "Book 1", "by", "J. K.", "and"])("leave something of %s", (typed) => {
    for (const { read: apply } of RULES) expect(apply(splitWords(typed))).not.toEqual([]);
  });
});

// The last reading is the loosest.
it.each([
  ["Jane Eyre - Charlotte Brontë", "Jane Eyre Charlotte Brontë"],
  ["Jane Eyre – Charlotte Brontë: A Novel", "Jane Eyre Charlotte Brontë"],
  ["Time: a Guide", "Time a Guide"],
  ["Author : The Life", "Author The Life"],
  ["Der Green Eggs and Ham", "Green Eggs Ham"],
  ["L’Étranger", "Étranger"],
  ["dell'Amore", "Amore"],
  ["al-Ayyām", "Ayyām"],
  ["الأيام", "أيام"],
  ["ha-Shem", "Shem"],
  ["Η Οδύσσεια", "Οδύσσεια"],
  ["Az ember", "ember"],
  ["Odyssey, The", "Odyssey"],
  ["Dr. Seuss - The Lorax", "Dr. Seuss Lorax"],
  ["Emma #1", "Emma"],
  ["Emma (1)", "Emma"],
  ["Emma, vol.1", "Emma"],
  ["Emma v. 2 of 3", "Emma"],
  ["Emma 2.0, Book 1", "Emma 2.0"],
  ["Emma, vol. 2, part 3", "Emma, vol. 2"],
  ["Emma III", "Emma"],
  ["1st to Die: A Novel", "1st to Die"],
  ["Emma [Book One]", "Emma"],
  ["Emma, Second Part", "Emma"],
  ["Emma, Zweiter Band", "Emma"],
  ["Emma Bd. III", "Emma"],
  ["Emma, tome premier", "Emma"],
  ["Emma, Segunda parte", "Emma"],
  ["Emma, volume 1º", "Emma"],
  ["Emma deel twee", "Emma"],
  ["Эмма, том 1", "Эмма"],
  ["Эмма. Книга первая", "Эмма"],
  ["إيما الجزء الأول", "إيما"],
  ["Book 1 of Emma", "Emma"],
  ["Emma: A Graphic Novel", "Emma"],
  ["Emma, 2nd revised edition", "Emma"],
  ["Emma (Kindle Edition)", "Emma"],
  ["Emma, large print paperback", "Emma"],
  ["Emma. Roman", "Emma"],
  ["Emma: una novela", "Emma"],
  ["Emma, 3. Auflage", "Emma"],
  ["rock 'n' roll", "rock roll"],
  ["Emma by J. Austen and Anna Seghers", "Emma Austen Seghers"],
  ["Emma von Jane H. Austen", "Emma Austen"],
  ["C.S. Lewis Perelandra", "Lewis Perelandra"],
  ["/works/OL1W", "key:/works/OL1W"],
  ["ol1w", "key:/works/OL1W"],
  ["https://books.example/books/OL1M/Emma?x=1", "edition_key:OL1M"],
  ["books.example:8080/works/OL1W.json", "key:/works/OL1W"],
  ["works/OL1W", "key:/works/OL1W"],
  ["/authors/OL1A", "author_key:OL1A"],
  ["https://books.example/isbn/978-0140328721", "isbn:978-0140328721"],
])("reads %s", (typed, text) => expect(textsOf(typed).at(-1)).toBe(text));

it("goes from strict to loose readings", () => {
  expect(read("The War an Peace, Book 2").readings).toEqual([
    {
      text: "The War an Peace 2",
      q: "((title:(War an Peace) OR series_name:(War an Peace)) (title:(2 OR 02) OR series_position:(2 OR 02)))",
      parameters: {},
    },
    ...["The War and Peace", "War and Peace", "War Peace"].map((q) => ({ text: q, q, parameters: {} })),
  ]);
});

it("finds a first volume by a whole name", () => {
  const [first] = read("Harry Potter #1").readings;
  expect(first?.q).toContain('title:"Harry Potter vol 01" OR');
  expect(first?.q).toMatch(/ OR \(series_name:"Harry Potter" series_position:1\)\)$/);
  expect(read("Glass, Book 1").readings[0]?.q).not.toContain("series_name");
});

it.each([
  "jane eyre",
  "a*b the emma",
  '"The Emma"',
  "The emma OR dune",
  "emma -book 1",
  "title:emma language:eng",
  "",
  "a ".repeat(41),
])("has no reading of %s", (q) => expect(read(q).readings).toEqual([]));

it.each([
  ["Emma - Jane Austen", 1],
  ["The Emma, Book 2", 2],
  ["The Emma: a novel", 1],
  ["The Emma (Penguin Classics)", 1],
  ["/works/OL1W", 1],
  ["Emma 2", 1],
  ["The Emma", 0],
  ["Emma by J. Austen", 0],
])("reads %s before its spelling is corrected", (q, count) => expect(read(q).early).toBe(count));

describe("parameters", () => {
  it.each([
    [{ title: "La peste" }, ["title:(La peste)", "title:(peste)"]],
    [{ title: "Emma: a story (Book 1)" }, ["title:(Emma\\: a story)", "title:(Emma)"]],
    [{ title: "Emma - Jane Austen" }, ["title:(Emma Jane Austen)", "(title:(Emma) OR (Emma Jane Austen))"]],
    [{ title: "em*" }, []],
  ])("%j", (parameters, queries) => {
    const { readings } = read("", parameters);
    expect(
      readings.map(({ q }) => q).filter((q) => !q.includes("series_name") && !q.includes("vol 01")),
    ).toEqual(queries);
    for (const reading of readings) expect(reading.parameters).toEqual({});
  });

  it("are read in the text", () => {
    const [first] = read('title:The Emma author:"J. Austen"').readings;
    expect(first).toEqual({ text: "The Emma", q: "title:(The Emma)", parameters: { author: "J. Austen" } });
    expect(read("author:(J. Austen) title:Emma").names).toEqual(["J. Austen"]);
  });
});

it.each([
  ["- emma", true],
  ["-- emma", true],
  ["-emma", false],
  ["emma - austen", false],
])("knows a leading dash: %s", (text, isLeading) => expect(beginsWithDash(text)).toBe(isLeading));

it.each([
  ["5", ["five", "fifth", "cinq", "v"]],
  ["39", ["thirty nine", "xxxix"]],
  ["80", ["eighty"]],
  ["100", ["one hundred", "hundred"]],
  ["101", ["one hundred and one", "hundred and one"]],
  ["1001", ["one thousand and one", "thousand and one"]],
  ["1984", ["one thousand nine hundred and eighty four", "nineteen eighty four"]],
  ["20000", ["twenty thousand"]],
  ["five", ["5"]],
  ["fünf", []],
  ["funf", ["5"]],
  ["0", []],
  ["1000000", []],
  ["emma", []],
])("spells the number %s", (word, forms) => {
  const all = otherFormsOfNumber(word).map((words) => words.join(" "));
  expect(all).toEqual(expect.arrayContaining(forms));
  if (forms.length === 0) expect(all).toEqual([]);
});

it.each([
  ["twenty", "two", "22"],
  ["ninety", "nine", "99"],
  ["twenty", "ten", undefined],
  ["two", "twenty", undefined],
])("reads the pair %s %s", (first, second, number) => expect(numberOfPair(first, second)).toBe(number));

it.each([
  ["007", "7"],
  ["2nd", "2"],
  ["1.5", "1.5"],
  ["1-3", "1-3"],
  ["xiv", "14"],
  ["iiii", undefined],
  ["zweite", "2"],
  ["dix", "10"],
  ["emma", undefined],
  ["", undefined],
])("reads the number %s", (word, number) => expect(numberOfWord(word)).toBe(number));
