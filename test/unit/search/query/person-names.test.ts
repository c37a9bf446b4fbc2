import { expect, it } from "vitest";
import { isPlainName, isSameName, namesIn } from "../../../../src/search/query/person-names.ts";

it.each([
  ["Neil Gaiman and Terry Pratchett", ["Neil Gaiman", "Terry Pratchett"]],
  ["Neil Gaiman & Terry Pratchett", ["Neil Gaiman", "Terry Pratchett"]],
  ["Neil Gaiman/Terry Pratchett; Dave McKean", ["Neil Gaiman", "Terry Pratchett", "Dave McKean"]],
  ["Neil Gaiman, Terry Pratchett und Dave McKean", ["Neil Gaiman", "Terry Pratchett", "Dave McKean"]],
  ["Gaiman, Neil; Pratchett, Terry", ["Gaiman, Neil", "Pratchett, Terry"]],
  ["Jorge Luis Borges y Adolfo Bioy Casares", ["Jorge Luis Borges", "Adolfo Bioy Casares"]],
  ["Umberto Eco e Carlo Martini with E. Y. Harburg", ["Umberto Eco", "Carlo Martini", "E. Y. Harburg"]],
  ["Neil Gaiman et al.", ["Neil Gaiman"]],
  ["", []],
])("finds the names of %s", (text, names) => expect(namesIn(text)).toEqual(names));

it.each([
  ["C. Brontë", "Charlotte Bronte", true],
  ["Brontë, C.", "Charlotte Brontë", true],
  ["E. Brontë", "Charlotte Brontë", false],
  ["Suzanne M. Collins", "Suzanne Collins", true],
  ["Suzanne Collins", "Suzanne Marie Collins", true],
  ["Suzanne A. Collins", "Suzanne M. Collins", false],
  ["C.S. Lewis", "Clive Staples Lewis", true],
  ["CS Lewis", "Clive Staples Lewis", true],
  ["J Tolkien", "J. R. R. Tolkien", true],
  ["R. Tolkien", "J. R. R. Tolkien", false],
  ["Joanne Rowling", "J. K. Rowling", true],
  ["Martin Luther King, Jr.", "Martin L. King", true],
  ["Jane Austen", "Jane Eyre", false],
  ["", "Jane Austen", false],
])("%s, %s: %s", (first, second, expected) => {
  expect(isSameName(first, second)).toBe(expected);
  expect(isSameName(second, first)).toBe(expected);
});

it("knows names without initials and middle names", () => {
  expect(["Jane Austen", "J. Austen", "Jane H. Austen", "Austen"].map(isPlainName)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
