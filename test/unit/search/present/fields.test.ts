import { describe, expect, it } from "vitest";
import {
  DEFAULT_FIELDS,
  parseFieldNames,
  selectFields,
} from "../../../../src/search/present/selected-fields.ts";

const neither = { work: false, edition: false };
const nothing = {
  editions: false,
  availability: false,
  score: false,
  description: neither,
  providers: neither,
};

describe("parseFieldNames", () => {
  it.each([
    [[], []],
    [
      [" key , title ,,", "key", "id_*"],
      ["key", "title", "id_*"],
    ],
  ])("%j", (occurrences, names) => {
    expect(parseFieldNames(occurrences)).toEqual(names);
  });
});

describe("selectFields", () => {
  it("uses the defaults without a request", () => {
    expect(selectFields([])).toMatchObject({ ...nothing, work: DEFAULT_FIELDS });
  });

  it.each([
    [["*"], { ...nothing, work: ["*"], edition: ["*"] }],
    [["key", "score"], { ...nothing, work: ["key"], edition: ["key"], score: true }],
    [["editions"], { ...nothing, work: [], edition: ["*"], editions: true }],
    [
      ["key", "author_name", "editions"],
      { ...nothing, work: ["key", "author_name"], edition: ["key"], editions: true },
    ],
    [
      ["key", "editions", "editions.title", "editions.id_*"],
      { ...nothing, work: ["key"], edition: ["title", "id_*"], editions: true },
    ],
    [["key", "editions.title"], { ...nothing, work: ["key"], edition: ["title"] }],
    [["key", "availability"], { ...nothing, work: ["key"], edition: ["key"], availability: true }],
    [
      ["description", "providers"],
      {
        ...nothing,
        work: [],
        edition: ["*"],
        description: { work: true, edition: true },
        providers: { work: true, edition: true },
      },
    ],
    [
      ["key", "editions", "work.description", "editions.providers"],
      {
        ...nothing,
        work: ["key"],
        edition: ["key"],
        editions: true,
        description: { work: true, edition: false },
        providers: { work: false, edition: true },
      },
    ],
  ])("%j", (names, expected) => {
    expect(selectFields(names)).toEqual(expected);
  });
});
