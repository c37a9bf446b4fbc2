/** Inputs of the greatest size that are made to take long: `[name, bytes]`. */
import { marcBytes, joined, bytewise } from "../../test/support/marc/build-marc.ts";

const RECORD_BYTES = 99_999;
const XML_LENGTH = 1_000_000;
const TITLE = "245 10‡aTitle";

/** Records of nearly 99,999 bytes. @returns {[string, Uint8Array][]} */
export function extremeRecords() {
  return [
    ...Object.entries(CONTENTS).map(
      ([name, [tag, piece]]) =>
        /** @type {[string, Uint8Array]} */ ([
          `${tag} of ${name}`,
          record([TITLE, `${tag} 10‡a${filled(piece, 90_000)}`], false),
        ]),
    ),
    ...Object.entries(MARC8_CONTENTS).map(
      ([name, piece]) =>
        /** @type {[string, Uint8Array]} */ ([
          `MARC-8, ${name}`,
          record([TITLE, `500   ‡a${filled(piece, 90_000)}`], true),
        ]),
    ),
    ...[
      "020",
      "041",
      "050",
      "100",
      "245",
      "246",
      "260",
      "300",
      "490",
      "500",
      "505",
      "600",
      "650",
      "700",
      "710",
      "740",
      "856",
      "880",
    ].map((tag) => /** @type {[string, Uint8Array]} */ ([`thousands of ${tag}`, record(many(tag), false)])),
    ["880s that lead to one another", record(links(), false)],
    ["008s", record([TITLE, ...Array.from({ length: 1800 }, () => `008 ${" ".repeat(40)}`)], false)],
    [
      "continued fields",
      record([TITLE, ...Array.from({ length: 180 }, () => `500   ‡a${"x".repeat(520)}++`)], false),
    ],
    ["entries that all name the whole record", overlapping("99999", "00000")],
    ["entries that begin behind each other", overlapping("0001", "00001")],
    ["a directory alone", directoryAlone()],
    ["subfields alone", record([TITLE, `650  0${"‡x".repeat(30_000)}`], false)],
  ];
}

/** @type {Record<string, [tag: string, piece: string]>} */
const CONTENTS = {
  letters: ["245", "a"],
  "one mark": ["245", "\u0301"],
  "marks out of order": ["245", "\u0301\u0323"],
  spaces: ["245", " "],
  dots: ["245", "."],
  brackets: ["245", "["],
  "brackets that close": ["260", "[]"],
  digits: ["260", "1"],
  "digits and dots": ["260", "1."],
  commas: ["100", ", "],
  hyphens: ["100", "1-"],
  semicolons: ["505", "; "],
  "dashes and slashes": ["505", " -- / "],
  "slashes between letters": ["505", "a / b ; "],
  "words with spaces around": ["505", "a   "],
  ISBN: ["020", "0140328726 "],
  parentheses: ["020", "("],
  languages: ["041", "eng"],
  numbers: ["082", "823."],
  braces: ["500", "{"],
  subjects: ["650", "-- "],
  "colons and dots": ["300", ": . "],
  "from old catalog": ["245", " [from old catalog]"],
  ideographs: ["245", "漢"],
  Hangul: ["245", "\u1100\u1161"],
  emoji: ["245", "😀"],
};
/** @type {Record<string, string>} */
const MARC8_CONTENTS = {
  "opened braces": "{",
  mnemonics: "{acute}a",
  "unknown mnemonics": "{x}",
  marks: "\u00E2\u00F2",
  "marks of one kind": "\u00E2",
  escapes: "\u001B",
  shifts: "\u001B(N\u001B(B",
  "East Asian": "\u001B$1!0!\u001B(B",
  "unknown set": "\u001B(Zabc",
  "half shifts": "\u001B$",
};

/** Documents of XML of a million characters. @returns {[string, Uint8Array][]} */
export function extremeDocuments() {
  const inside = (/** @type {string} */ piece) => `<a>${filled(piece, XML_LENGTH)}</a>`;
  const texts = {
    "empty elements": inside("<b/>"),
    "elements with text": inside("<b>x</b>"),
    "elements that stay open": filled("<a>", XML_LENGTH),
    text: inside("x"),
    references: inside("&lt;"),
    ampersands: inside("&"),
    sections: inside("<![CDATA[]]>"),
    comments: inside("<!---->"),
    "open comments": inside("<!--"),
    "line ends": inside("\r\n"),
    brackets: inside("]]"),
    "less than": filled("<", XML_LENGTH),
    "one long name": `<${filled("a", XML_LENGTH)}/>`,
    attributes: `<a ${Array.from({ length: 90_000 }, (_, index) => `a${index}=""`).join(" ")}/>`,
    declarations: `<a ${Array.from({ length: 50_000 }, (_, index) => `xmlns:a${index}="u"`).join(" ")}/>`,
    "declarations at each depth": `${'<a xmlns:b="u">'.repeat(99)}${filled("<b:c/>", XML_LENGTH)}${"</a>".repeat(99)}`,
    marks: inside("\u0301\u0323"),
    "fields of MARC": collection(
      filled(
        '<datafield tag="650" ind1=" " ind2="0"><subfield code="a">x</subfield></datafield>',
        XML_LENGTH,
      ),
    ),
    "subfields of MARC": collection(
      `<datafield tag="245">${filled('<subfield code="a">x</subfield>', XML_LENGTH)}</datafield>`,
    ),
    "marks in MARC": collection(
      `<datafield tag="245"><subfield code="a">${filled("\u0301\u0323", XML_LENGTH)}</subfield></datafield>`,
    ),
    "spaces in MARC": collection(
      `<datafield tag="245"><subfield code="a">x${filled(" ", XML_LENGTH)}x</subfield></datafield>`,
    ),
  };
  return Object.entries(texts).map(([name, text]) => [
    `XML of ${name}`,
    new TextEncoder().encode(`<?xml version="1.0"?>${text}`),
  ]);
}

/** @param {string} inside */
function collection(inside) {
  return `<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a2200000 a 4500</leader>${inside}</record></collection>`;
}

/** @param {string} piece @param {number} length in bytes of UTF-8, roughly */
function filled(piece, length) {
  return piece.repeat(Math.floor(length / new TextEncoder().encode(piece).length));
}

/** As many of one field as a record holds. @param {string} tag */
function many(tag) {
  const line = `${tag} 1 ‡6880-01‡aName, A. B.,‡d1900-1950.‡xSub -- more`;
  const count = Math.floor(95_000 / (line.length + 12 - 4 + 1));
  return [TITLE, ...Array.from({ length: count }, (_, index) => line.replace("Name", `N${index}`))];
}

function links() {
  return [
    "245 10‡6880-01‡aTitle",
    ...Array.from({ length: 1000 }, (_, index) => `700 1 ‡6880-${1000 + index}‡aName ${index}`),
    ...Array.from({ length: 1000 }, (_, index) => `880 1 ‡6700-${1000 + index}‡aName ${index}`),
  ];
}

/** @param {readonly string[]} fields @param {boolean} marc8 */
function record(fields, marc8) {
  const bytes = marcBytes({ fields, marc8 });
  if (bytes.length > RECORD_BYTES) throw new Error(`an extreme record has ${bytes.length} bytes`);
  return bytes;
}

/** 4,000 entries with the same length and place, before 50,000 bytes. @param {string} length @param {string} place */
function overlapping(length, place) {
  const entry = `650${length.slice(0, 4)}${place}`;
  const body = `${entry.repeat(4000)}\u001E${"x".repeat(50_000)}\u001E\u001D`;
  const size = String(body.length + 24).padStart(5, "0");
  return bytewise(`${size}nam a2200000 a 4500${body}`);
}

function directoryAlone() {
  const count = 8300;
  const body = `${"650000000000".repeat(count)}\u001E\u001D`;
  return joined([
    bytewise(`${String(body.length + 24).padStart(5, "0")}nam a2200000 a 4500`),
    bytewise(body),
  ]);
}
