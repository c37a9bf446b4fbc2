import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readMarc } from "../../../../src/import/marc/binary.ts";
import { unpackEaccTable } from "../../../../src/import/marc/eacc.ts";
import { Marc8Text } from "../../../../src/import/marc/marc8.ts";
import { MARC8_SETS } from "../../../../src/import/marc/marc8-sets.ts";
import { bytewise, marcBytes } from "../../../support/marc/build-marc.ts";

const eacc = unpackEaccTable();
const decode = (text: string) => new Marc8Text(eacc).decode(bytewise(text));

describe("text in MARC-8", () => {
  it.each([
    ["plain text", "aTitle / by A. B.", "aTitle / by A. B."],
    ["marks before their letter", "a\u00E2e\u00E8o", "aéö"],
    ["several marks on one letter", "a\u00E3\u00E2e", "aế"],
    ["a mark in front of the code", "\u00E2atext", "átext"],
    ["half marks as they are", "a\u00EBi\u00ECa", "ai\uFE20a\uFE21"],
    ["marks at the end, dropped", "ab\u00E2", "ab"],
    ["letters of their own", "a\u00B5\u00A5\u00B2\u00C3\u00C7", "aæÆø©ß"],
    ["controls, dropped", "a\u0001b\u0085\u009Fc\u008D", "abc"],
    ["marks of non-sorting", "\u0088The \u0089x", "\u0098The \u009Cx"],
    ["unknown codes, as spaces", "a\u007Fb\u0080c\u00A0d\u00FFe", "a b c d e"],
    ["Greek symbols", "a\u001Bgabc\u001Bsa", "aαβγa"],
    ["subscripts and superscripts", "aH\u001Bb2\u001BsO \u001Bp3", "aH₂O ³"],
    ["Cyrillic in place of ASCII", "a\u001B(Nabc\u001B(Ba", "aАБЦa"],
    ["Cyrillic by the other sign", "a\u001B,Na", "aА"],
    ["more Cyrillic in place of ANSEL", "a\u001B)Q\u00C0a\u001B-E\u00A1", "aґaŁ"],
    ["Hebrew", "a\u001B(2`a\u001B(B.", "aאב."],
    ["Arabic", "a\u001B(3G\u001B(B.", "aا."],
    ["Greek", "a\u001B(Sabd", "aαβγ"],
    ["East Asian", 'a\u001B$1!0!!0"\u001B(Ba', "a一丁a"],
    ["East Asian by the longer sign", "a\u001B$,1!0!", "a一"],
    ["East Asian that is cut off", "a\u001B$1!0!!0", "a一 "],
    ["East Asian of no table", "a\u001B$1~~~!0!", "a 一"],
    ["a set in the second place by three signs", "a\u001B$)Q\u00C0\u001B$-E\u00A1", "aґŁ"],
    ["a set that is unknown", "a\u001B(Zab\u001Bsb", "a  b"],
    ["an escape that says nothing", "a\u001B!b\u001B", "a!b"],
    ["a shift that is cut off", "ab\u001B$", "ab$"],
    ["mnemonics", "a{acute}e {copy} {lcub}x{rcub} {A}{41}", "aé © {x} AA"],
    ["mnemonics that shift", "a{sup2}{esc}gb", "a²β"],
    ["unknown mnemonics", "a{foo}{}{}}{acute", "a{foo}{}{}}{acute"],
    ["names too long for a mnemonic", "a{exclamation}{acute}e", "a{exclamation}é"],
    ["the nearest brace that closes", "a{b{acute}e", "a{b{acute}e"],
  ])("has %s", (_, text, expected) => expect(decode(text)).toBe(expected));

  it("starts every piece with ASCII and ANSEL", async () => {
    const record = await readMarc(marcBytes({ fields: ["245 10‡aA \u001B(Na‡bab\u00E2e"], marc8: true }));
    expect(record.fields).toMatchObject([
      {
        subfields: [
          ["a", "A А"],
          ["b", "abé"],
        ],
      },
    ]);
  });

  it("is plain if it declares its sets", () => {
    const text = new Marc8Text(undefined);
    const plain = [" ~aZ09|}", "{", "\u001B", "\u00E2", "\u007F", "\n"].map((one) => text.isPlain(one));
    expect(plain).toEqual([true, false, false, false, false, false]);
  });

  it("reports a missing table of East Asian characters", () => {
    const text = new Marc8Text(undefined);
    expect([text.decode(bytewise("a\u00E2e")), text.lacksTable]).toEqual(["aé", false]);
    expect([text.decode(bytewise("a\u001B$1!0!")), text.lacksTable]).toEqual(["a ", true]);
  });

  it("loads that table for a record that needs it", async () => {
    const bytes = marcBytes({ fields: ['245 10‡a\u001B$1!0!!0"\u001B(B'], marc8: true });
    expect((await readMarc(bytes)).fields).toMatchObject([{ subfields: [["a", "一丁"]] }]);
  });
});

/** Characters with each code from one to another, after a shift to their set. */
const run = (shift: string, from: number, to: number): string =>
  decode(shift + String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, index) => from + index)));

describe("sets of MARC-8", () => {
  it.each([
    ["Cyrillic", "\u001B(N", [0x40, 0x5f], "юабцдефгхийклмнопярстужвьызшэщчъ"],
    ["Cyrillic capitals", "\u001B(N", [0x60, 0x7e], "ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧ"],
    ["extended Cyrillic", "\u001B)Q", [0xc0, 0xce], "ґђѓєёѕіїјљњћќўџ"],
    ["Hebrew", "\u001B(2", [0x60, 0x7a], "אבגדהוזחטיךכלםמןנסעףפץצקרשת"],
    ["Arabic", "\u001B(3", [0x41, 0x5a], "ءآأؤإئابةتثجحخدذرزسشصضطظعغ"],
    ["more Arabic", "\u001B(3", [0x60, 0x6a], "ـفقكلمنهوىي"],
    ["extended Arabic", "\u001B)4", [0xa4, 0xb1], "ٹٺٻټٽپٿڀځڂڃڄڅچ"],
    ["Greek", "\u001B(S", [0x61, 0x7e], "αβϐγδεϛϝζηθικλμνξοπϟρσςτυφχψωϡ"],
    ["Greek capitals", "\u001B(S", [0x49, 0x53], "ΖΗΘΙΚΛΜΝΞΟΠ"],
    ["Greek symbols", "\u001Bg", [0x61, 0x63], "αβγ"],
    ["subscripts", "\u001Bb", [0x30, 0x39], "₀₁₂₃₄₅₆₇₈₉"],
    ["superscripts", "\u001Bp", [0x30, 0x39], "⁰¹²³⁴⁵⁶⁷⁸⁹"],
    ["ANSEL capitals", "", [0xa1, 0xa6], "ŁØĐÞÆŒ"],
    ["ANSEL small letters", "", [0xb1, 0xb6], "łøđþæœ"],
    ["ANSEL signs", "", [0xc0, 0xc8], "°ℓ℗©♯¿¡ß€"],
    [
      "ASCII",
      "",
      [0x20, 0x7a],
      " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz",
    ],
  ] as const)("have %s", (_set, shift, [from, to], characters) => {
    expect(run(shift, from, to)).toBe(characters);
  });

  it("have the marks of ANSEL", () => {
    const marked =
      "\u00E0a\u00E1a\u00E2a\u00E3a\u00E4a\u00E5a\u00E6a\u00E7a\u00E8a\u00E9a\u00EAa\u00EEo\u00F0c\u00F1a\u00F2a\u00F3u\u00F4a\u00F7s";
    expect(decode(marked)).toBe("ảàáâãāăȧäǎåőçąạṳḁș");
  });

  it("have accents in Greek, points in Hebrew and vowel signs in Arabic", () => {
    expect(decode('\u001B(S"a"f"j')).toBe("άέή");
    expect(decode("\u001B(2@`")).toBe("\u05D0\u05B7");
    expect(decode("\u001B(3kG")).toBe("\u0627\u064B");
  });

  it("are complete", () => {
    // The digest of tables that were compared with those of the Library of Congress, code by code.
    const codes = [...MARC8_SETS].map(([set, characters]) => [set, ...characters]);
    expect(digest(codes)).toBe("ed10e18ae7a4d8dfcab940e568409a58933b3e1250806157e0daeb30adbf5622");
  });
});

describe("East Asian characters", () => {
  it.each([
    ["ideographs", '!0!!0"!0#', "一丁七"],
    ["Hiragana", 'i$!i$"i$#i$s', "ぁあぃん"],
    ["Katakana", 'i%!i%"i%s', "ァアン"],
  ])("have %s", (_kind, codes, characters) => expect(decode(`\u001B$1${codes}`)).toBe(characters));

  it("are complete", () => {
    const codes: number[] = [];
    const bytes = Array.from({ length: 0x70 }, (_, index) => 0x10 + index);
    for (const high of bytes) {
      for (const middle of bytes) {
        for (const low of bytes) {
          const character = eacc.character(high, middle, low);
          if (character !== 0) codes.push((high << 16) | (middle << 8) | low, character);
        }
      }
    }
    expect(codes.length / 2).toBe(15_745);
    expect(digest(codes)).toBe("6b360e61ede16ef56cf70b46304d5f7ca2dfa7ce335dfd7b1aaa1545a34eaf05");
  });

  it.each([
    [0x21, 0x10, 0x30],
    [0x21, 0x0f, 0x30],
    [0x21, 0x80, 0x30],
    [0x21, 0x30, 0x80],
    [0x21, 0x30, 0x0f],
    [0x0f, 0x30, 0x21],
    [0x7f, 0x7f, 0x7f],
  ])("have none for %i %i %i", (...code) => expect(eacc.character(...code)).toBe(0));
});

describe("mnemonics", () => {
  it.each([
    ["{AElig}sop {oelig}uvre {thorn} {eth} {inodot} {Lstrok}", "Æsop œuvre þ ð ı Ł"],
    ["{Eacute}t{eacute} {Ccedil}a {uuml} {Aring} {Ccaron} {odblac} {aogon}", "Été Ça ü Å Č ő ą"],
    ["{grave}a{uml}o{cedil}c{macr}e", "àöçē"],
    ["{pound}5 {deg} {iquest} {iexcl} {reg} {flat} {plusmn}", "£5 ° ¿ ¡ ® ♭ ±"],
    [
      "{ldquo}x{rdquor} {lsquo}y{rsquo} {mdash} {hellip} {frac12} {trade} {szlig}",
      "\"x\" 'y' -- ... 1/2 (Tm) ss",
    ],
    ["{dollar}{num}{percnt}{amp}{lt}{gt}{lsqb}{rsqb}{bsol}{verbar}", "$#%&<>[]\\|"],
    ["{softsign}{hardsign}{ayn}{alif}", "ʹʺʻʼ"],
    ["{YAcy} {llig}i{rlig}a", "I\uFE20A\uFE21 i\uFE20a\uFE21"],
    ["x{sup1}{sup2}{sup3} {esc}b2{esc}s {hex}", "x¹²³ ₂ {hex}"],
  ])("%s: %s", (text, expected) => expect(decode(text)).toBe(expected));
});

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
