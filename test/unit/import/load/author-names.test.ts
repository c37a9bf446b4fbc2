import { describe, expect, it } from "vitest";
import {
  toNaturalOrder,
  nameLookups,
  parseAuthors,
  withoutHonorific,
} from "../../../../src/import/records/author-lookups.ts";

describe("withoutHonorific", () => {
  it.each([
    ["SIR Walter Scott", "Walter Scott"],
    ["Fra\u0308ulein Smilla", "Smilla"],
    ["Lord  Byron", "Byron"],
    ["Doctor Oetker", "Doctor Oetker"],
    ["Sirius Black", "Sirius Black"],
    ["Mr. ", "Mr. "],
    ["Dr. Mr. X", "Mr. X"],
    ["Mme. Duval", "Duval"],
    ["señora Ruiz", "Ruiz"],
    ["Prof Quay", "Prof Quay"],
    ["Dr. Seuss", "Dr. Seuss"],
    ["DR OETKER", "DR OETKER"],
    ["Countess", "Countess"],
  ])("%j: %j", (name, expected) => expect(withoutHonorific(name)).toBe(expected));
});

describe("toNaturalOrder", () => {
  it("turns the personal name with the name, and alternate names always", () => {
    const author = { name: "Döe, John", personal_name: "Döe, John", alternate_names: ["Doe, J.", "Johnny"] };
    expect(toNaturalOrder(author, undefined)).toEqual({
      name: "John Döe",
      personal_name: "John Döe",
      alternate_names: ["J. Doe", "Johnny"],
    });
    const longer = { name: "Döe, John, Sir", personal_name: "Döe, John", alternate_names: ["Doe, J."] };
    expect(toNaturalOrder(longer, undefined)).toEqual({ ...longer, alternate_names: ["J. Doe"] });
  });

  it.each([
    ["Quay, Thomas", "Thomas Quay"],
    ["Quay, Thomas A.", "Thomas A. Quay"],
    ["Quay,Thomas", "Quay,Thomas"],
    ["Quay, Thomas, Sir", "Quay, Thomas, Sir"],
    ["Thomas Quay", "Thomas Quay"],
    ["Thomas, i.e. Quay", "Thomas, i.e. Quay"],
    ["Thomas, i. e. Quay", "Thomas, i. e. Quay"],
  ])("turns %j into %j", (name, expected) => {
    expect(toNaturalOrder({ name }, undefined)).toEqual({ name: expected });
  });

  it("leaves organisations and names from the title page", () => {
    const body = { name: "Smith, Inc.", entity_type: "org", alternate_names: ["Smith, Jones"] };
    expect(toNaturalOrder(body, undefined)).toEqual(body);
    const mao = { name: "Mao, Zedong", alternate_names: ["Mao, Tse-tung"] };
    expect(toNaturalOrder(mao, "Mao Zedong zhu.")).toEqual(mao);
    expect(toNaturalOrder(mao, "MaoZedong")["name"]).toBe("Zedong Mao");
    expect(toNaturalOrder({ name: "Zedong Mao" }, "Zedong Mao")["name"]).toBe("Zedong Mao");
  });
});

describe("parseAuthors", () => {
  it("returns authors in their stored form, with all names to search by", () => {
    const authors = [
      {
        name: "Mr. Döe, John",
        alternate_names: ["Doe, John", "John Döe"],
        role: "Editor",
        key: "/authors/OL1A",
      },
      { name: "B", role: " ", key: "OL1A", remote_ids: { viaf: " 1 ", isni: ["2", "3"], gnd: "" } },
      { name: "" },
      "C",
    ];
    const [first, second, ...others] = parseAuthors({ authors });
    expect(first).toMatchObject({ names: ["John Döe", "John Doe"], role: "Editor", key: "/authors/OL1A" });
    expect(second).toMatchObject({ names: ["B"], role: undefined, key: undefined });
    expect(second?.remoteIds).toEqual([
      { scheme: "viaf", value: "1" },
      { scheme: "isni", value: "2" },
      { scheme: "isni", value: "3" },
    ]);
    expect(others).toEqual([]);
    expect(parseAuthors({ authors: "A" })).toEqual([]);
  });
});

describe("nameLookups", () => {
  it("returns nothing for a name that is only an article", () => {
    const [searched] = parseAuthors({ authors: [{ name: "A B", alternate_names: ["The "] }] });
    expect(searched?.names).toEqual(["A B", "The "]);
    expect(nameLookups(searched!).map(({ name }) => name)).toEqual(["A B"]);
  });
});
