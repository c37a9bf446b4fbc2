import { describe, expect, it } from "vitest";
import { marcOfBook } from "../../../src/export/marc/record.ts";
import { modsOfBook } from "../../../src/export/xml-formats.ts";
import { xmlText } from "../../../src/catalog/xml.ts";
import { editionBook } from "./books.ts";

describe("articles of titles", () => {
  it.each([
    ["afr", "'n Ander land", "'n", "Ander land"],
    ["ara", "al-Kitāb", "al-", "Kitāb"],
    ["cat", "L'illa", "L'", "illa"],
    ["dan", "Et dukkehjem", "Et", "dukkehjem"],
    ["dut", "De ontdekking", "De", "ontdekking"],
    ["dut", "‘t Hooge nest", "‘t", "Hooge nest"],
    ["eng", "The voyage", "The", "voyage"],
    ["eng", "“The voyage”", "“The", "voyage”"],
    ["eng", "A", "", "A"],
    ["eng", "Theory", "", "Theory"],
    ["fre", "L’homme", "L’", "homme"],
    ["fre", "Une vie", "Une", "vie"],
    ["gle", "An t-oileánach", "An t-", "oileánach"],
    ["glg", "Unha vida", "Unha", "vida"],
    ["ger", "Des Teufels General", "Des", "Teufels General"],
    ["gre", "Ο ζορμπάς", "Ο", "ζορμπάς"],
    ["grc", "Hē politeia", "Hē", "politeia"],
    ["heb", "ha-Derekh", "ha-", "Derekh"],
    ["hun", "Az ajtó", "Az", "ajtó"],
    ["ice", "Hið ljósa man", "Hið", "ljósa man"],
    ["ita", "Gli indifferenti", "Gli", "indifferenti"],
    ["ita", "Un'isola", "Un'", "isola"],
    ["nob", "Ei bok", "Ei", "bok"],
    ["por", "O crime", "O", "crime"],
    ["por", "As naus", "As", "naus"],
    ["por", "Às vezes", "", "Às vezes"],
    ["rum", "O scrisoare", "O", "scrisoare"],
    ["spa", "¡Los niños!", "¡Los", "niños!"],
    ["swe", "Den allvarsamma leken", "Den", "allvarsamma leken"],
    ["tgl", "Ang mga anak", "Ang mga", "anak"],
    ["tur", "Bir gün", "Bir", "gün"],
    ["wel", "Y dref", "Y", "dref"],
    ["yid", "Der nister", "Der", "nister"],
    ["fin", "Se on", "", "Se on"],
    ["rus", "A zori", "", "A zori"],
    ["eng", '(["“¡¿"The voyage', '(["“¡¿"The', "voyage"],
  ])("of %s: %s", (language, title, article, rest) => {
    const book = editionBook({ title, languages: [{ key: `/languages/${language}` }] });
    const field = marcOfBook(book).fields.find(({ tag }) => tag === "245");
    const skipped = title.length - rest.length;
    expect(field).toMatchObject({ ind2: String(skipped < 10 ? skipped : 0), subfields: [["a", title]] });
    const info = /<titleInfo>\s*(?:<nonSort>(.*)<\/nonSort>\s*)?<title>(.*)<\/title>/.exec(
      xmlText(modsOfBook(book)),
    );
    expect(info?.slice(1)).toEqual([article || undefined, rest]);
  });
});
