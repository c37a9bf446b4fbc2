/** @typedef {[tag: string, text: string]} Field `text` with indicators and subfield marks, or that of a control field */

const encoder = new TextEncoder();
const SUBFIELD = "\x1f";
const FIELD_END = "\x1e";
const RECORD_END = "\x1d";
const LEADER_LENGTH = 24;

/**
 * A made-up record of the size and shape that library catalogs have: 1.2 to 1.6 KB, some of it not ASCII.
 * @param {number} n
 */
export function marcRecord(n) {
  const names = [
    "Müller, Jörg",
    "Nováková, Božena",
    "Smith, John",
    "García Márquez, Gabriel",
    "Durand, Renée",
  ];
  const name = names[n % names.length] ?? "";
  const isbn = isbn10(100_000_000 + (n % 800_000_000));
  /** @type {Field[]} */
  const fields = [
    ["001", `ocm${String(n).padStart(8, "0")}`],
    ["003", "OCoLC"],
    ["005", "20250101000000.0"],
    ["008", `820506s19${String(80 + (n % 20))}    nyua     b    001 0 eng  cam   `],
    ["010", data("  ", { a: `   ${80_000_000 + n} ` })],
    ["020", data("  ", { a: `${isbn} (pbk.) :`, c: "$24.95" })],
    ["035", data("  ", { a: `(OCoLC)ocm${n}` })],
    ["040", data("  ", { a: "DLC", c: "DLC", d: "OCoLC" })],
    ["050", data("00", { a: `QA76.${n % 90}`, b: `.M${n % 1000} 1985` })],
    ["082", data("00", { a: `005.${n % 1000}`, 2: "19" })],
    ["100", data("1 ", { a: `${name},`, d: `19${10 + (n % 80)}-` })],
    [
      "245",
      data("14", { a: `The measured book number ${n} :`, b: "a study of catalogs and readers /", c: name }),
    ],
    ["246", data("30", { a: `Measured book ${n}` })],
    ["250", data("  ", { a: "2nd ed., rev. and enl." })],
    ["260", data("  ", { a: "New York, N.Y. :", b: `Press of ${n % 500},`, c: `c19${80 + (n % 20)}.` })],
    ["300", data("  ", { a: `xvi, ${100 + (n % 900)} p. :`, b: "ill. ;", c: "24 cm." })],
    ["490", data("1 ", { a: "Studies in measuring ;", v: String(n % 40) })],
    [
      "500",
      data("  ", { a: "Includes index, with notes on every chapter and the names of all who helped." }),
    ],
    ["504", data("  ", { a: `Bibliography: p. ${200 + (n % 100)}-${300 + (n % 100)}.` })],
    [
      "505",
      data("0 ", { a: "Beginnings -- Growth of the catalog -- Élan vital -- Readers and writers -- Ends." }),
    ],
    [
      "520",
      data("  ", { a: "A long look at how books are described, found and lent, over several centuries." }),
    ],
    ["650", data(" 0", { a: "Library catalogs", x: "History", y: "20th century." })],
    ["650", data(" 0", { a: "Cataloging", z: "United States", v: "Handbooks, manuals, etc." })],
    ["651", data(" 0", { a: "Zürich (Switzerland)", x: "Social life and customs." })],
    ["700", data("1 ", { a: "Okafor, Ngozi,", d: "1950-", e: "ed." })],
    ["710", data("2 ", { a: "Institute for Measured Things.", b: "Library." })],
    ["856", data("42", { 3: "Table of contents", u: `https://catalog.test/${n}` })],
  ];
  return encoded(fields);
}

/**
 * @param {string} indicators
 * @param {Record<string, string>} subfields
 */
function data(indicators, subfields) {
  const texts = Object.entries(subfields).map(([code, value]) => `${SUBFIELD}${code}${value}`);
  return indicators + texts.join("");
}

/** @param {Field[]} fields */
function encoded(fields) {
  const bodies = fields.map(([, text]) => encoder.encode(text + FIELD_END));
  let start = 0;
  const entries = fields.map(([tag], index) => {
    const length = bodies[index]?.length ?? 0;
    const entry = `${tag}${digits(length, 4)}${digits(start, 5)}`;
    start += length;
    return entry;
  });
  const directory = encoder.encode(entries.join("") + FIELD_END);
  const base = LEADER_LENGTH + directory.length;
  const leader = encoder.encode(`${digits(base + start + 1, 5)}cam a22${digits(base, 5)} a 4500`);
  return Buffer.concat([leader, directory, ...bodies, encoder.encode(RECORD_END)]);
}

/**
 * @param {number} value
 * @param {number} length
 */
function digits(value, length) {
  return String(value).padStart(length, "0");
}

/**
 * The ISBN with these first nine digits.
 * @param {number} body
 */
function isbn10(body) {
  const numbers = [...String(body)].map(Number);
  const check = numbers.reduce((sum, digit, index) => sum + digit * (index + 1), 0) % 11;
  return `${body}${check === 10 ? "X" : check}`;
}
