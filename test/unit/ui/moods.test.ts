// The vocabulary of observations in the languages of the pages.
import { describe, expect, it } from "vitest";
import { OBSERVATION_TYPES } from "../../../src/catalog/patrons/vocabulary.ts";
import { ANONYMOUS_READER, LANGUAGES } from "../../../src/worker/http/pages/reader.ts";
import { mood } from "../../../src/worker/ui/moods.ts";
import ar from "../../../src/worker/ui/moods/ar.json" with { type: "json" };
import de from "../../../src/worker/ui/moods/de.json" with { type: "json" };
import es from "../../../src/worker/ui/moods/es.json" with { type: "json" };
import fr from "../../../src/worker/ui/moods/fr.json" with { type: "json" };

const CATALOGUES: Readonly<Record<string, Readonly<Record<string, string>>>> = { ar, de, es, fr };
const OFFERED = OBSERVATION_TYPES.filter(({ isRetired }) => !isRetired).flatMap(
  ({ label, question, values }) => [
    label,
    question,
    ...values.flatMap(({ name, isRetired }) => (isRetired ? [] : [name])),
  ],
);

describe.each(LANGUAGES.slice(1))("the vocabulary in %s", (language) => {
  it("has all moods and no others", () => {
    expect(Object.keys(CATALOGUES[language] ?? {})).toEqual([...new Set(OFFERED)].sort());
    expect(Object.values(CATALOGUES[language] ?? {}).filter((text) => text === "")).toEqual([]);
  });
});

it("moods are shown in the reader's language", () => {
  expect(mood("Dark").textFor({ ...ANONYMOUS_READER, language: "de" })).toBe("düster");
  expect(String(mood("Dark"))).toBe("Dark");
});
