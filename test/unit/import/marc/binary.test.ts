import { describe, expect, it } from "vitest";
import { readMarc } from "../../../../src/import/marc/binary.ts";
import { MarcError, type MarcRecord } from "../../../../src/import/marc/record.ts";
import { bytewise, joined, marcBytes } from "../../../support/marc/build-marc.ts";

const FIELDS = [
  "001 ocm1",
  "008 850730s1984    enk           000 1 eng  ",
  "245 10‡aTitle :‡bmore",
  "500   ‡aÉté 漢",
];

/** Indicators and subfields of a field as a line, or the value of a control field. */
function line(record: MarcRecord, tag: string): string[] {
  return record.fields
    .filter((field) => field.tag === tag)
    .map((field) =>
      "value" in field
        ? field.value
        : `${field.ind1}${field.ind2}${field.subfields.map(([code, value]) => `‡${code}${value}`).join("")}`,
    );
}

async function problem(bytes: Uint8Array): Promise<string> {
  try {
    const record = await readMarc(bytes);
    return record.fields.map((field) => ("value" in field ? field.value : field.subfields).length).join();
  } catch (error) {
    if (error instanceof MarcError) return `${error.problem}: ${error.message}`;
    throw error;
  }
}

/** The record with a part of its bytes replaced, and its length put right. */
function changed(bytes: Uint8Array, change: (text: string) => string): Uint8Array {
  const text = change(String.fromCharCode(...bytes));
  return bytewise(String(text.length).padStart(5, "0") + text.slice(5));
}

/** The entry of a tag in the directory with another length and place. */
function moved(bytes: Uint8Array, tag: string, to: string): Uint8Array {
  return changed(bytes, (text) =>
    text.replace(new RegExp(`(?<=^.{24}(?:.{12})*?)${tag}.{9}`, "s"), tag + to),
  );
}

describe("readMarc", () => {
  it("reads leader, control fields and data fields in order", async () => {
    const record = await readMarc(marcBytes({ fields: FIELDS }));
    expect(record.leader).toMatch(/^00\d\d\dnam a22000\d\d a 4500$/);
    expect(record.fields).toEqual([
      { tag: "001", value: "ocm1" },
      { tag: "008", value: "850730s1984    enk           000 1 eng  " },
      {
        tag: "245",
        ind1: "1",
        ind2: "0",
        subfields: [
          ["a", "Title :"],
          ["b", "more"],
        ],
      },
      { tag: "500", ind1: " ", ind2: " ", subfields: [["a", "Été 漢"]] },
    ]);
  });

  it("reads text in one normal form of Unicode", async () => {
    const record = await readMarc(marcBytes({ fields: ["245 10‡aE\u0301te\u0301"] }));
    expect(line(record, "245")).toEqual(["10‡aÉté"]);
  });

  it("takes any indicator but a space for UTF-8", async () => {
    const bytes = marcBytes({ fields: FIELDS });
    bytes[9] = 0x5e;
    expect(line(await readMarc(bytes), "500")).toEqual(["  ‡aÉté 漢"]);
  });

  it("skips empty subfields and codes without a value", async () => {
    const record = await readMarc(marcBytes({ fields: ["245 10‡‡aTitle‡‡b‡😀c"] }));
    expect(line(record, "245")).toEqual(["10‡aTitle‡b‡😀c"]);
  });

  // Q773
  it.each(["245 10\u200E‡aTitle", "245 10\u200F\uFEFF‡aTitle", "245 \uFEFF10‡aTitle", "245 10‡\u200EaTitle"])(
    "skips invisible marks around indicators and codes: %j",
    async (field) => {
      expect(line(await readMarc(marcBytes({ fields: [field] })), "245")).toEqual(["10‡aTitle"]);
    },
  );

  it("takes the letter after a missing indicator for the code", async () => {
    expect(line(await readMarc(marcBytes({ fields: ["245 1‡aTitle"] })), "245")).toEqual(["1\u001F‡Title"]);
  });

  it.each([
    ["empty bytes", new Uint8Array(), "bad-marc: The record doesn’t start with its length"],
    ["letters for a length", bytewise("abcde"), "bad-marc: The record doesn’t start with its length"],
    ["a length of its own only", bytewise("00005"), "bad-marc: The directory has no end"],
    ["a byte too many", bytewise("00005\u001E"), "bad-length: The record has 6 bytes instead of 5"],
    [
      "a byte too few",
      bytewise("00025nam a2200000 a 4500"),
      "bad-length: The record has 24 bytes instead of 25",
    ],
    [
      "a directory before its place",
      bytewise("00007\u001E\u001D"),
      "bad-marc: The directory has an invalid length",
    ],
    [
      "half an entry",
      bytewise("00032nam a2200000 a 4500245000\u001E\u001D"),
      "bad-marc: The directory has an invalid length",
    ],
    [
      "a directory of letters",
      bytewise("00038nam a2200000 a 4500245000x00000\u001E\u001D"),
      "bad-marc: The directory has letters instead of numbers",
    ],
  ])("refuses %s", async (_, bytes, expected) => expect(await problem(bytes)).toBe(expected));

  it.each([
    ["a length that is too small", "000200046"],
    ["a length that ends within the field", "001500046"],
    ["a place before the field", "002000045"],
  ])("finds the terminators next to %s", async (_, to) => {
    const bytes = marcBytes({ fields: FIELDS.slice(0, 3) });
    expect(line(await readMarc(moved(bytes, "245", to)), "245")[0]).toMatch(/^10‡aTitle :‡bmore$/);
  });

  it("drops terminators before the last one", async () => {
    const record = await readMarc(marcBytes({ fields: ["245 10‡aTitle\u001E\u001E", "500   ‡aNote"] }));
    expect(line(record, "245")).toEqual(["10‡aTitle"]);
    expect(line(record, "500")).toEqual(["  ‡aNote"]);
  });

  it("reads a record with unreadable fields until one of them is requested", async () => {
    const bytes = moved(marcBytes({ fields: FIELDS.slice(1) }), "500", "001090000");
    const short = changed(bytes, (text) => text.replace("more\u001E", "more."));
    const record = await readMarc(short);
    expect(line(record, "008")).toEqual(["850730s1984    enk           000 1 eng  "]);
    expect(await problem(short)).toBe("bad-marc: The field 500 lies outside the record");
    const open = changed(marcBytes({ fields: ["245 10‡aTitle", "001 x"] }), (text) =>
      text.replace("x\u001E", "xx"),
    );
    expect(await problem(open)).toMatch("bad-marc: The field 001 has no end");
  });

  it("replaces text other than UTF-8 in control fields and the leader", async () => {
    const bytes = marcBytes({ fields: ["001 a\u00E9b", "245 10‡aTitle"] });
    const latin = changed(bytes, (text) => text.replaceAll("\u00C3\u00A9", "\u00E9 "));
    const record = await readMarc(latin);
    expect(line(record, "001")).toEqual(["a\uFFFD b"]);
    expect(line(record, "245")).toEqual(["10‡aTitle"]);
    latin[6] = 0xe9;
    expect((await readMarc(latin)).leader.slice(5, 9)).toBe("n\uFFFDm ");
  });

  it("refuses overlapping fields, which would take long to read", async () => {
    const entries = "650999900000".repeat(100);
    const body = `${entries}\u001E${"x".repeat(5000)}\u001E\u001D`;
    expect(await problem(bytewise(`0${body.length + 24}nam a2200000 a 4500${body}`))).toBe(
      "bad-marc: The fields overlap",
    );
  });
});

/** Warnings about a record, as lines. */
async function warningsOf(bytes: Uint8Array): Promise<string[]> {
  const { warnings = [] } = await readMarc(bytes);
  return warnings.map(({ field, value, code }) => `${code}: ${field} ${value}`.trim());
}

describe("damaged records", () => {
  const SOUND = marcBytes({ fields: FIELDS });
  const STATED = String(SOUND.length).padStart(5, "0");
  const bytesOf = (change: (text: string) => string) => bytewise(change(String.fromCharCode(...SOUND)));
  const length = `damaged-record: leader`;
  const directory = "damaged-record: directory";
  /** The directory with its entries changed. */
  const entries = (change: (list: string[]) => string[]) =>
    bytesOf((text) => {
      const list = text.slice(24, text.indexOf("\u001E")).match(/.{12}/g) ?? [];
      return text.replace(list.join(""), change(list).join(""));
    });

  it.each<[string, Uint8Array, string[]]>([
    ["a sound record", SOUND, []],
    ["a length that is too large", bytesOf((text) => `00190${text.slice(5)}`), [`${length} 00190`]],
    ["a length that is too small", bytesOf((text) => `00120${text.slice(5)}`), [`${length} 00120`]],
    ["no terminator of the record", bytesOf((text) => text.slice(0, -1)), [`${length} ${STATED}`]],
    ["no terminator at all", bytesOf((text) => text.slice(0, -2)), [`${length} ${STATED}`]],
    ["a directory in another order", entries((list) => list.toReversed()), []],
    [
      "offsets of another order",
      entries((list) => list.map((entry, at) => entry.slice(0, 3) + list.at(-1 - at)?.slice(3))),
      [directory],
    ],
    ["offsets in characters", entries((list) => list.with(3, "500001000071")), [directory]],
    ["an offset outside", entries((list) => list.with(3, "500001090000")), [directory]],
    ["letters in the directory", entries((list) => list.with(2, "24500xx00x00")), [directory]],
    [
      "a directory without its last digits",
      entries((list) => [...list.slice(0, 3), "5000010000"]),
      [length, directory],
    ],
  ])("reads %s", async (_, bytes, expected) => {
    const record = await readMarc(bytes);
    expect(["001", "008", "245", "500"].flatMap((tag) => line(record, tag))).toEqual([
      "ocm1",
      "850730s1984    enk           000 1 eng  ",
      "10‡aTitle :‡bmore",
      "  ‡aÉté 漢",
    ]);
    const warnings = await warningsOf(bytes);
    expect(
      warnings.map((text, at) => (expected[at] === length ? text.slice(0, length.length) : text)),
    ).toEqual(expected);
  });

  it.each([
    ["two records", joined([SOUND, SOUND])],
    ["half a record", SOUND.subarray(0, 100)],
  ])("refuses %s", async (_, bytes) => expect(await problem(bytes)).toMatch(/^bad-length/));
});

describe("the encoding of the bytes", () => {
  /** A record of texts in bytes, with any leader. */
  const encoded = (leader: string, ...texts: string[]) => {
    const fields = texts.map((text, index) => `${500 + index}   ‡a${text}`);
    const bytes = marcBytes({ fields, marc8: true });
    bytes[9] = leader.charCodeAt(0);
    return bytes;
  };
  const UTF8 = String.fromCharCode(...new TextEncoder().encode("für Ärzte"));
  const MARC8 = "f\u00E8ur \u00E8Arzte";
  const LATIN = "Müller und Söhne, café";
  /** The byte of a sign in Windows-1252, as a character. */
  const toWindows = (sign: string) => ({ "“": "\u0093", "”": "\u0094" })[sign] ?? "\u0080";
  const SHIFTED = "\u001B(NsLOWO\u001B(B";

  it.each<[string, Uint8Array, string[], string[]]>([
    ["UTF-8 called MARC-8", encoded(" ", UTF8, "plain"), ["für Ärzte", "plain"], ["read-as-utf-8: leader"]],
    [
      "MARC-8 called UTF-8",
      encoded("a", MARC8, "plain"),
      ["für Ärzte", "plain"],
      ["read-as-marc-8: leader a"],
    ],
    ["shifts called UTF-8", encoded("a", SHIFTED), ["Слово"], ["read-as-marc-8: leader a"]],
    [
      "MARC-8 with a field of UTF-8",
      encoded(" ", MARC8, UTF8),
      ["für Ärzte", "für Ärzte"],
      ["mixed-encoding: 501 UTF-8"],
    ],
    [
      "UTF-8 with a field of MARC-8",
      encoded("a", MARC8, UTF8),
      ["für Ärzte", "für Ärzte"],
      ["mixed-encoding: 500 MARC-8"],
    ],
    ["MARC-8", encoded(" ", MARC8, SHIFTED), ["für Ärzte", "Слово"], []],
    ["UTF-8", encoded("a", UTF8), ["für Ärzte"], []],
    ["Latin-1 called MARC-8", encoded(" ", LATIN), [LATIN], ["read-as-windows-1252: leader"]],
    ["Latin-1 called UTF-8", encoded("a", LATIN), [LATIN], ["read-as-windows-1252: leader a"]],
    [
      "Windows-1252",
      encoded(" ", "\u201Cquoted\u201D \u20AC 5".replace(/[“”€]/g, toWindows)),
      ["“quoted” € 5"],
      ["read-as-windows-1252: leader"],
    ],
    ["Latin-1 that could be MARC-8", encoded(" ", "Söhne"), ["Söhne"], ["read-as-windows-1252: leader"]],
    [
      "French Latin-1",
      encoded(" ", "Le général", "première"),
      ["Le général", "première"],
      ["read-as-windows-1252: leader"],
    ],
    [
      "Spanish Latin-1",
      encoded("a", "España", "Año nuevo"),
      ["España", "Año nuevo"],
      ["read-as-windows-1252: leader a"],
    ],
    [
      "German Latin-1",
      encoded(" ", "Träume", "Ändern"),
      ["Träume", "Ändern"],
      ["read-as-windows-1252: leader"],
    ],
    ["Portuguese Latin-1", encoded(" ", "São Paulo"), ["São Paulo"], ["read-as-windows-1252: leader"]],
    ["Danish Latin-1", encoded(" ", "København"), ["København"], ["read-as-windows-1252: leader"]],
    [
      "Latin-1 by the rest of the record",
      encoded(" ", "São", "général", "société"),
      ["São", "général", "société"],
      ["read-as-windows-1252: leader"],
    ],
    [
      "MARC-8 with a field of Latin-1",
      encoded(" ", MARC8, "société"),
      ["für Ärzte", "société"],
      ["mixed-encoding: 501 Windows-1252"],
    ],
    [
      "UTF-8 with a field of Latin-1",
      encoded("a", UTF8, "société"),
      ["für Ärzte", "société"],
      ["mixed-encoding: 501 Windows-1252"],
    ],
    [
      "three encodings",
      encoded("a", UTF8, MARC8, "société"),
      ["für Ärzte", "für Ärzte", "société"],
      ["mixed-encoding: 501 MARC-8", "mixed-encoding: 502 Windows-1252"],
    ],
    ["Czech MARC-8", encoded(" ", "P\u00E9r\u00E2ibram", "Dvo\u00E9r\u00E2ak"), ["Příbram", "Dvořák"], []],
    ["Croatian MARC-8", encoded(" ", "kr\u00E9s\u00E2canstvo"), ["kršćanstvo"], []],
    [
      "romanised MARC-8",
      encoded(" ", "\u00EBi\u00ECu", "k\u00F4r\u00F2s\u00F2na", "T\u00E5oky\u00E5o"),
      ["i\uFE20u\uFE21", "kr̥ṣṇa", "Tōkyō"],
      [],
    ],
    ["UTF-8 with a bad byte", encoded("a", `${UTF8} \u00FF.`), ["für Ärzte \uFFFD."], ["damaged-text: 500"]],
    ["UTF-8 that is cut off", encoded("a", "a\u00E2\u0080"), ["a\uFFFD"], ["damaged-text: 500"]],
    [
      "MARC-8 with a code of no character",
      encoded(" ", `\u001B(N\u0040\u001B(B\u00E9`),
      ["ю"],
      ["damaged-text: 500"],
    ],
    [
      "Windows-1252 with a code of no character",
      encoded(" ", "fü\u0081r"),
      ["fü\uFFFDr"],
      ["read-as-windows-1252: leader", "damaged-text: 500"],
    ],
  ])("is used for %s", async (_, bytes, texts, expected) => {
    const record = await readMarc(bytes);
    const values = record.fields.map((field) => ("subfields" in field ? field.subfields[0]?.[1] : ""));
    expect(values).toEqual(texts);
    expect(await warningsOf(bytes)).toEqual(expected);
  });
});

describe("continued fields", () => {
  const long = "x".repeat(500);

  it("are joined, without the indicators of later ones", async () => {
    const fields = [`520 1 ‡a${long}++`, `520 2 ${long}é++`, "520 3 ‡bend", "500   ‡aNote"];
    const record = await readMarc(marcBytes({ fields }));
    expect(line(record, "520")).toEqual([`1 ‡a${long}${long}é‡bend`]);
    expect(line(record, "500")).toEqual(["  ‡aNote"]);
  });

  it("need a long field before them", async () => {
    const record = await readMarc(marcBytes({ fields: ["520   ‡aC++", "520   ‡aJava"] }));
    expect(line(record, "520")).toEqual(["  ‡aC++", "  ‡aJava"]);
  });

  it.each([[["500   ‡aNote"]], [[]]])("have to go on: %j", async (after) => {
    const bytes = marcBytes({ fields: [`520   ‡a${long}++`, ...after] });
    expect(await problem(bytes)).toBe("bad-marc: The field 520 is not continued");
  });
});

describe("several 008 fields", () => {
  const with008 = (values: string[]) =>
    readMarc(marcBytes({ fields: values.map((value) => `008 ${value}`) }));
  const of = (spaces: number, letter: string) => letter.repeat(40 - spaces) + " ".repeat(spaces);

  it.each([
    ["the one with the fewest spaces", [of(9, "a"), of(3, "b"), of(5, "c")], of(3, "b")],
    ["a later one on a tie", [of(9, "a"), of(9, "b"), of(9, "c")], of(9, "b")],
    ["the first of any length", ["a", of(3, "b")], "a"],
    ["no later one of another length", [of(9, "a"), "b".repeat(39)], of(9, "a")],
  ])("leave %s", async (_, values, expected) =>
    expect(line(await with008(values), "008")).toEqual([expected]),
  );
});
