import { describe, expect, it } from "vitest";
import { readMarc } from "../../../../src/import/marc/binary.ts";
import { eaccTable } from "../../../../src/import/marc/eacc.ts";
import { Marc8Text, withoutMnemonics } from "../../../../src/import/marc/marc8.ts";
import { MARC8_SETS, MARK } from "../../../../src/import/marc/marc8-sets.ts";
import { bytewise, marcBytes } from "../../../support/marc/build-marc.ts";
import { HAS_FIXTURES, fixtureBytes } from "../shared-fixtures.ts";

const eacc = eaccTable();
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
    ["controls, dropped", "a\u0001b\u0085\u009Fc\u0088", "abc"],
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
    ["the nearest brace that closes", "a{b{acute}e", "a{b{acute}e"],
  ])("has %s", (_, text, expected) => expect(decode(text)).toBe(expected));

  it("begins every piece with ASCII and ANSEL", async () => {
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

  it("is plain when it says what it has", () => {
    const text = new Marc8Text(undefined);
    const plain = [" ~aZ09|}", "{", "\u001B", "\u00E2", "\u007F", "\n"].map((one) => text.isPlain(one));
    expect(plain).toEqual([true, false, false, false, false, false]);
  });

  it("says when it lacked the table of East Asian characters", () => {
    const text = new Marc8Text(undefined);
    expect([text.decode(bytewise("a\u00E2e")), text.lackedTable]).toEqual(["aé", false]);
    expect([text.decode(bytewise("a\u001B$1!0!")), text.lackedTable]).toEqual(["a ", true]);
  });

  it("has that table loaded when a record needs it", async () => {
    const bytes = marcBytes({ fields: ['245 10‡a\u001B$1!0!!0"\u001B(B'], marc8: true });
    expect((await readMarc(bytes)).fields).toMatchObject([{ subfields: [["a", "一丁"]] }]);
  });
});

describe.skipIf(!HAS_FIXTURES)("tables of MARC-8", () => {
  const table = (name: string) =>
    JSON.parse(new TextDecoder().decode(fixtureBytes(`marc/tables/${name}.json`)));

  it("have every code of the sets of one byte, and no other", () => {
    const { sets } = table("marc8");
    for (const [set, characters] of MARC8_SETS) {
      const listed = [...characters].flatMap((character, code): [string, string][] => {
        const mark = character >= MARK;
        return character === 0
          ? []
          : [[hex(code, 2), hex(mark ? character - MARK : character, 4) + (mark ? "+" : "")]];
      });
      expect(Object.fromEntries(listed)).toEqual(sets[hex(set, 2)]);
    }
    expect([...MARC8_SETS.keys()].length).toBe(Object.keys(sets).length - 1);
  });

  it("have every East Asian code, and no other", () => {
    const { sets, extra } = table("marc8");
    const expected = new Map<string, string>(Object.entries({ ...extra, ...sets["31"] }));
    let found = 0;
    for (let code = 0x20_20_20; code <= 0x7f_7f_7f; code += 1) {
      const character = eacc.character(code >> 16, (code >> 8) & 0xff, code & 0xff);
      if (character === 0) continue;
      found += 1;
      if (expected.get(hex(code, 6)) !== hex(character, 4)) expect(hex(code, 6)).toBe("a code of the table");
    }
    expect(found).toBe(expected.size);
  });

  it("have every mnemonic", () => {
    const names: Record<string, string> = table("mnemonics");
    for (const [name, bytes] of Object.entries(names)) {
      const read = [...withoutMnemonics(bytewise(name))].map((byte) => hex(byte, 2)).join("");
      expect(`${name} ${read}`).toBe(`${name} ${bytes}`);
    }
  });
});

function hex(number: number, digits: number): string {
  return number.toString(16).toUpperCase().padStart(digits, "0");
}
