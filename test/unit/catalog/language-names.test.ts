import { expect, it } from "vitest";
import names from "../../../src/catalog/language-names.json" with { type: "json" };
import { NAMING_LANGUAGES } from "../../../src/catalog/language.ts";

it("has the names of Unicode, which Node knows and the Workers runtime does not", () => {
  const [, ...columns] = NAMING_LANGUAGES.map(
    (language) => new Intl.DisplayNames([language], { type: "language" }),
  );
  const tags = Object.keys(names);
  expect(names).toEqual(Object.fromEntries(tags.map((tag) => [tag, columns.map((known) => known.of(tag))])));
  expect(tags).toEqual(tags.toSorted());
});
