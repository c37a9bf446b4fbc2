import { expect, it } from "vitest";
import { textLanguageOf, workTitleCodesOf } from "../../../src/catalog/title-language.ts";

it.each([
  ["Don Quijote", ["spa"], "es"],
  ["Don Quijote", ["spa", "spa"], "es"],
  ["Faust", ["ger"], "de"],
  ["Fryske ferhalen", ["fri"], "fy"],
  ["紅樓夢", ["chi"], "zh"],
  ["源氏物語", ["jpn"], "ja"],
  ["Ἰλιάς", ["grc"], "grc"],
  ["ألف ليلة", ["ara"], "ar"],
  ["Beowulf", ["ang"], "ang"],
  ["Voĭna i mir", ["rus"], undefined],
  ["Война и мир", ["eng"], undefined],
  ["1984", ["eng"], undefined],
  ["Mar / Sea", ["spa", "eng"], undefined],
  ["Varia", ["mul"], undefined],
  ["Varia", ["und"], undefined],
  ["Varia", ["xxx"], undefined],
  ["Varia", [], undefined],
])("tells the language of %j by the codes %j", (text, codes, tag) => {
  expect(textLanguageOf(text, codes)).toBe(tag);
});

it("prefers the editions with the title of a work to its original language", () => {
  const of = (code: string) => [{ key: `/languages/${code}` }];
  const book = { title: "The Trial", original_languages: of("ger") };
  const translation = { title: "The Trial", languages: of("eng") };
  const original = { title: "Der Prozess", languages: of("ger") };
  expect(workTitleCodesOf(book, [translation, original])).toEqual(["eng"]);
  expect(workTitleCodesOf(book, [original])).toEqual(["ger"]);
});
