import { describe, expect, it } from "vitest";
import { parseAuthorHeading } from "../../../../src/catalog/matching/author-heading.ts";

describe("parseAuthorHeading", () => {
  it.each([
    ["Austen, Jane, 1775-1817.", "Austen, Jane", "Jane Austen", "1775", "1817"],
    ["Austen, Jane (1775–1817)", "Austen, Jane", "Jane Austen", "1775", "1817"],
    ["Jane Austen (1775-1817)", "Jane Austen", "Jane Austen", "1775", "1817"],
    ["Jane Austen [1775 - 1817].", "Jane Austen", "Jane Austen", "1775", "1817"],
    ["Austen, Jane", "Austen, Jane", "Jane Austen", undefined, undefined],
    ["Rowling, J. K. (Joanne Kathleen), 1965-", "Rowling, J. K.", "J. K. Rowling", "1965", undefined],
    [
      "King, Martin Luther, Jr., 1929-1968",
      "King, Martin Luther, Jr.",
      "Martin Luther King, Jr.",
      "1929",
      "1968",
    ],
    ["Scott, Walter, Sir, 1771-1832.", "Scott, Walter", "Walter Scott", "1771", "1832"],
    ["Austen, Jane, b. 1775", "Austen, Jane", "Jane Austen", "1775", undefined],
    ["Smith, John, died 1890", "Smith, John", "John Smith", undefined, "1890"],
    ["Smith, John, approximately 1775-ca. 1817", "Smith, John", "John Smith", "1775", "1817"],
    ["Smith, John, 1775?-1817?", "Smith, John", "John Smith", "1775", "1817"],
    // A single year may be either, years of activity are neither.
    ["Smith, John, 1890", "Smith, John", "John Smith", undefined, undefined],
    ["Marlowe, active 1590-1600", "Marlowe", "Marlowe", undefined, undefined],
    ["Ovid, 43 B.C.-17 A.D.", "Ovid", "Ovid", undefined, undefined],
  ])("%s", (text, name, naturalName, birthDate, deathDate) => {
    expect(parseAuthorHeading(text)).toEqual({ name, naturalName, birthDate, deathDate });
  });

  it.each([
    "Jane Austen",
    "1775-1817",
    "",
    "50 Cent",
    "Catch 22",
    "(1775-1817)",
    `${"a, ".repeat(200)}1775-1817`,
  ])("%j stays", (name) => expect(parseAuthorHeading(name)).toMatchObject({ name, naturalName: name }));
});
