import { expect, it } from "vitest";
import { buildLanguageIndex } from "../../../../src/db/imports/language-index.ts";
import { FOUND_LOOKUPS_MAX, numberLookups } from "../../../../src/db/imports/lookup-sql.ts";
import { lookupNameOf } from "../../../../src/import/records/snapshot.ts";

const language = (code: string, more: object) => ({ key: `/languages/${code}`, ...more });

it("finds current languages by key, first code and all names", () => {
  const { keys, byIso, byName } = buildLanguageIndex([
    language("eng", {
      name: "English",
      identifiers: { iso_639_1: ["en", "xx"] },
      name_translated: { de: ["Englisch"] },
    }),
    language("fre", { name: "Français", identifiers: { iso_639_1: ["fr"] } }),
    language("frn", { name: "francais", identifiers: { iso_639_1: ["fr"] } }),
    language("old", { name: "English", deprecated: true }),
    language("bad", { name: 7, name_translated: [], identifiers: "en" }),
  ]);
  expect([...keys]).toEqual(["/languages/eng", "/languages/fre", "/languages/frn", "/languages/bad"]);
  expect([...byIso]).toEqual([
    ["en", "/languages/eng"],
    ["fr", "/languages/fre"],
  ]);
  expect([...byName]).toEqual([
    ["english", ["/languages/eng"]],
    ["englisch", ["/languages/eng"]],
    ["francais", ["/languages/fre", "/languages/frn"]],
  ]);
});

it("returns numbered lookups, titles first, once each and bounded", () => {
  const title = { table: "property", name: "title", value: "a" } as const;
  const isbn = { table: "identifier", name: "isbn", value: "1" } as const;
  const name = { table: "property", name: "name", value: "b" } as const;
  const key = { table: "key", name: "", value: "/authors/OL1A" } as const;
  const many = Array.from({ length: FOUND_LOOKUPS_MAX + 5 }, (_one, n) => ({ ...name, value: `n${n}` }));
  const numbered = numberLookups({ editions: [isbn, title, isbn], authors: [key, name], workTitle: "t" });
  expect(numbered).toEqual({
    names: [title, isbn, key, name].map(lookupNameOf),
    titles: 1,
    workTitle: "t",
    list: {
      editions: [[0, "title", "a"]],
      identifiers: [[1, "isbn", "1"]],
      keys: [[2, "", "/authors/OL1A"]],
      authors: [[3, "name", "b"]],
      works: [],
    },
  });
  expect(numberLookups({ editions: [], authors: many, workTitle: "" }).names).toHaveLength(FOUND_LOOKUPS_MAX);
});
