import { describe, expect, it } from "vitest";
import { isNamed, namedAuthorsOf, notableAuthorsOf } from "../../../../src/search/present/authors.ts";

describe("isNamed", () => {
  it.each([
    ["asimov", "Isaac Asimov", true],
    ["octavia butler", "Octavia E. Butler", true],
    ["le guin", "Ursula K. Le Guin", true],
    ["asim", "Isaac Asimov", true],
    ["leo tol", "Leo Tolstoy", true],
    ["art", "Bart Giamatti", false],
    ["dune", "Frank Herbert", false],
    ["the great gatsby", "F. Scott Fitzgerald", false],
    ["the de la", "Walter de la Mare", false],
    ["gabriel garcia marquez", "Gabriel García Márquez", true],
    ["books by plato and others", "Plato", true],
    ["", "Plato", false],
    ["...", "Plato", false],
    ["plato", "", false],
  ])("%s names %s: %s", (query, name, expected) => {
    expect(isNamed(query, name)).toBe(expected);
  });
});

const by = (number: number, name: string, ...others: string[]) => ({
  author_key: [`OL${number}A`, ...others.map((_, at) => `OL${900 + at}A`)],
  author_name: [name, ...others],
});

it("namedAuthorsOf takes first authors of the first works once each", () => {
  const works = [by(1, "Ann Lee"), by(2, "Bob"), by(1, "Ann Lee"), {}, by(3, "Lee Child"), by(4, "Lee Late")];
  expect(namedAuthorsOf("lee", works)).toEqual([
    { key: "/authors/OL1A", name: "Ann Lee" },
    { key: "/authors/OL3A", name: "Lee Child" },
  ]);
  const many = [by(1, "Lee A"), by(2, "Lee B"), by(3, "Lee C"), by(4, "Lee D")];
  expect(namedAuthorsOf("lee", many).map(({ key }) => key)).toEqual([
    "/authors/OL1A",
    "/authors/OL2A",
    "/authors/OL3A",
  ]);
  expect(namedAuthorsOf("other", [by(1, "Ann", "Other")])).toEqual([]);
});

it("notableAuthorsOf alternates the samples, each person once", () => {
  const readers = [by(1, "Ann"), by(2, "Bob"), by(3, "José")];
  const courses = [by(4, "Cat"), by(1, "Ann"), by(5, "JOSE"), by(6, "Dan")];
  expect(notableAuthorsOf([readers, courses]).map(({ name }) => name)).toEqual([
    "Ann",
    "Cat",
    "Bob",
    "José",
    "Dan",
  ]);
  const many = Array.from({ length: 40 }, (_, at) => by(at, `Name ${at}`));
  expect(notableAuthorsOf([many, []])).toHaveLength(8);
  expect(notableAuthorsOf([])).toEqual([]);
});
