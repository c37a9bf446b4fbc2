/** Records that the fuzz of imports begins with, and how it damages them. The same numbers make the same damage. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { marcBytes, marcXml } from "../../../test/support/marc/build-marc.ts";

/** @typedef {() => number} Random numbers in [0, 1) */

const FIELDS = [
  "001 ocm00000017",
  "008 850730s1984    enkab         000 1 eng  ",
  "010   ‡a   85000002 //r86‡z 84000001",
  "020   ‡a0140328726 (pbk.)‡c$3.95‡z9780140328721",
  "035   ‡a(OCoLC)ocm11223344",
  "041 1 ‡aengfre‡hger",
  "050 00‡aPZ7.D1515‡bMat 1988",
  "082 00‡a823/.914‡219",
  "100 1 ‡6880-01‡aDahl, Roald,‡d1916-1990,‡eauthor.‡0(isni)0000000121309316",
  "240 10‡aMatilda.‡lFrench",
  "245 10‡6880-02‡aMatilda :‡ba book /‡cRoald Dahl ; illustrated by Quentin Blake.‡h[text]",
  "246 3 ‡aMathilda",
  "250   ‡a2nd ed., rev.",
  "260   ‡aLondon ;‡aNew York :‡bJonathan Cape,‡cc1984.",
  "300   ‡axii, 232 p. :‡bill. ;‡c23 cm.",
  "490 1 ‡aPuffin books ;‡v3",
  "500   ‡aIncludes index.",
  "505 0 ‡aOne -- Two / A. B. ; Three -- Four.",
  "520   ‡aA girl who reads.",
  "600 10‡aBlake, Quentin,‡d1932-‡xBiography.",
  "650  0‡aGirls‡zEngland‡yTwentieth century‡vFiction.",
  "651  0‡aLondon (England)‡xHistory.",
  "700 12‡aBlake, Quentin.‡4ill",
  "710 2 ‡aPuffin Books,‡bLondon office.",
  "711 2 ‡aBook Fair‡n(3rd :‡d1999 :‡cBologna)",
  "730 0 ‡aPuffin.",
  "740 0 ‡aMatilda the reader.",
  "830  0‡aPuffin books.",
  "856 40‡uhttp://books.example/1‡3Contents",
  "880 1 ‡6100-01‡aДаль, Роальд.",
  "880 10‡6245-02‡a마틸다 :‡b소설.",
];
const MARC8_FIELDS = [
  ...FIELDS.slice(0, 9),
  "245 10‡aM\u00E8unchen {acute}a \u00B5 {bad} \u00EBi\u00ECa :‡b\u001B(NAKADEMI\u0051\u001B(B text‡cx\u001Bb2\u001Bs",
  "260   ‡a\u001B$1\u0021\u0030\u0021\u0021\u0030\u0022\u001B(B :‡b\u001B(2abc\u001B(B\u001B)4\u00A1,‡c[n.d.]",
  "880   ‡6260-00/$1‡a\u001B$1!VN!Q\u0021\u001B(B",
];
/** Markup that damages a document wherever it stands, and some that may stand there. */
const XML_FRAGMENTS = [
  "<",
  ">",
  "&",
  "/>",
  "</",
  "]]>",
  "<!--",
  "-->",
  "<![CDATA[",
  "<?x ",
  "?>",
  '"',
  "'",
  "=",
  "&amp;",
  "&#x0;",
  "&#65;",
  "&#x110000;",
  "&lt",
  "<!DOCTYPE a [<!ENTITY b 'c'>]>",
  "&b;",
  "<a>",
  "</a>",
  "<a:b/>",
  ' xmlns="u"',
  ' xmlns:a=""',
  "<record>",
  "</record>",
  "\u0000",
  "\r\n",
  ' tag="FMT"',
  ' tag="ABC"',
];
/** Elements and texts that leave a document well-formed. */
const XML_ELEMENTS = [
  "<a/>",
  "<a><b>c</b></a>",
  "<!-- a -->",
  "<![CDATA[<a>&]]>",
  "<?a b?>",
  "&#65;&amp;",
  "\u00A0",
  "a\u0301\u0323",
  "😀",
  "\u0301\u0323".repeat(40),
  "<subfield code=''>x</subfield>",
  '<subfield code="6">880-01</subfield>',
  "<leader/>",
  '<datafield tag=""/>',
  '<datafield tag="ABC"/>',
  '<datafield tag="245" ind1="1"/>',
  '<controlfield tag="008"/>',
  '<controlfield tag="008">850730s1984    enkab         000 1 eng  </controlfield>',
  "<datafield/>",
  "<record/>",
  '<datafield tag="245"><subfield code="a">See also</subfield></datafield>',
  '<datafield tag="FMT">x</datafield>',
  '<datafield tag="880"><subfield code="6">245-02/(B</subfield><subfield code="a">x</subfield></datafield>',
  '<subfield code="a">[n.d.]. :</subfield>',
  "<d:title xmlns:d='http://purl.org/dc/terms/'>T</d:title>",
];
const ESCAPES = [
  "(2",
  "$1",
  "$,1",
  "$)1",
  ")4",
  "(N",
  "-Q",
  "b",
  "p",
  "g",
  "s",
  "(",
  "$",
  "",
  ",3",
  "$-",
  "(!E",
  "2",
  "1",
];
const OPDS = `<?xml version="1.0"?><entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://purl.org/dc/terms/">
<title>T</title><author><name>A B</name></author><d:issued>2001</d:issued><category label="Cats"/>
<d:identifier>urn:ISBN:9780140328721</d:identifier><summary type="text">S</summary></entry>`;
const RDF = `<?xml version="1.0"?><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:d="http://purl.org/dc/terms/"
xmlns:b="http://purl.org/ontology/bibo/" xmlns:m="http://purl.org/dc/dcam/"><r:Description><d:title>T</d:title>
<b:authorList><r:Seq><r:li><r:value>A</r:value></r:li></r:Seq></b:authorList><d:subject><r:Description><m:memberOf
r:resource="http://purl.org/dc/terms/DDC"/><r:value>823</r:value></r:Description></d:subject></r:Description></r:RDF>`;
/** A record that is longer than this is no small input. */
const SMALL_BYTES = 20_000;
const SHARED = path.join(import.meta.dirname, "../../../../shared/fixtures");

/** Sound records: binary ones, and documents of XML. */
export function soundInputs() {
  const declared = `<?xml version="1.0" encoding="UTF-8"?>${marcXml({ fields: FIELDS })}`;
  return {
    marc: [
      marcBytes({ fields: FIELDS }),
      marcBytes({ fields: MARC8_FIELDS, marc8: true }),
      ...sharedFiles(/\.mrc$/).filter((bytes) => bytes.length <= SMALL_BYTES),
    ],
    xml: [
      ...[declared, marcXml({ fields: FIELDS }), OPDS, RDF].map((text) => new TextEncoder().encode(text)),
      ...sharedFiles(/\.xml$/).filter((bytes) => bytes.length <= SMALL_BYTES),
    ],
  };
}

/** Records of libraries, where they lie beside the project. @param {RegExp} pattern @returns {Uint8Array[]} */
function sharedFiles(pattern) {
  if (!existsSync(SHARED)) return [];
  return readdirSync(SHARED, { recursive: true, encoding: "utf8" })
    .filter((name) => pattern.test(name))
    .toSorted()
    .map((name) => new Uint8Array(readFileSync(path.join(SHARED, name))));
}

/** @typedef {{ random: Random, all: readonly Uint8Array[] }} Means */

/** A damaged record. @param {Uint8Array} sound @param {Means} means @returns {Uint8Array} */
export function damagedMarc(sound, means) {
  const { random } = means;
  let bytes = sound;
  for (let left = 1 + below(random, 4); left > 0; left -= 1) bytes = marcDamage(bytes, means);
  // Most get past the check of the length, which would turn away nearly all of them.
  return random() < 0.85 ? withLength(bytes) : bytes;
}

/** @param {Uint8Array} bytes @param {Means} means @returns {Uint8Array} */
function marcDamage(bytes, means) {
  const { random } = means;
  const at = below(random, bytes.length + 1);
  switch (below(random, 8)) {
    case 0:
      return flipped(bytes, random);
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return spliced(bytes, means);
    case 3:
      return directoryDamage(bytes, random);
    case 4:
      return inserted(bytes, at, bytesOf(`\u001B${pick(random, ESCAPES)}`));
    case 5:
      return inserted(
        bytes,
        at,
        bytesOf(pick(random, ["\u001D", "\u001E", "\u001F", "++\u001E", "{", "}", "{acute}"])),
      );
    case 6:
      return inserted(bytes, at, bytes.subarray(at, at + below(random, 600)));
    default:
      return inserted(
        bytes,
        at,
        Uint8Array.from({ length: 1 + below(random, 4) }, () => below(random, 256)),
      );
  }
}

/** @param {Uint8Array} bytes @param {Random} random @returns {Uint8Array} */
function directoryDamage(bytes, random) {
  const end = bytes.indexOf(0x1e);
  if (end < 24) return flipped(bytes, random);
  const copy = bytes.slice();
  for (let left = 1 + below(random, 3); left > 0; left -= 1) {
    copy[24 + below(random, end - 24)] = 0x30 + below(random, 10);
  }
  // The encoding too.
  if (random() < 0.2) copy[9] = pick(random, [0x20, 0x61, 0x5e]);
  return copy;
}

/** A damaged document. @param {Uint8Array} sound @param {Means} means @returns {Uint8Array} */
export function damagedXml(sound, means) {
  const { random } = means;
  // Half of them stay well-formed, as a rule, so that what comes after the parser sees something.
  const damage = random() < 0.5 ? markupDamage : contentDamage;
  let bytes = sound;
  for (let left = 1 + below(random, 4); left > 0; left -= 1) bytes = damage(bytes, means);
  return bytes;
}

/** @param {Uint8Array} bytes @param {Means} means @returns {Uint8Array} */
function markupDamage(bytes, means) {
  const { random } = means;
  const at = tagPlace(bytes, random);
  switch (below(random, 6)) {
    case 0:
      return flipped(bytes, random);
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return spliced(bytes, means);
    case 3:
      return without(bytes, at, 1 + below(random, 12));
    case 4:
      return inserted(bytes, at, bytes.subarray(at, at + below(random, 400)));
    default:
      return inserted(bytes, at, new TextEncoder().encode(pick(random, XML_FRAGMENTS)));
  }
}

/** @param {Uint8Array} bytes @param {Means} means @returns {Uint8Array} */
function contentDamage(bytes, { random }) {
  const from = bytes.indexOf(0x3c, below(random, bytes.length));
  const end = bytes.indexOf(0x3e, from);
  const close = bytes.indexOf(0x3c, end);
  if (from === -1 || close === -1) return bytes;
  const content = end + 1 + below(random, close - end);
  switch (below(random, 4)) {
    case 0:
      return inserted(bytes, content, new TextEncoder().encode(pick(random, XML_ELEMENTS)));
    case 1:
      return close > end + 1 ? without(bytes, content, Math.min(3, close - content)) : bytes;
    case 2: {
      const quote = bytes.indexOf(0x22, from);
      if (quote === -1 || quote > end) return bytes;
      return inserted(without(bytes, quote + 1, 1), quote + 1, bytesOf(pick(random, [..."0159AaZ '"])));
    }
    default:
      return inserted(
        bytes,
        content,
        bytesOf(" .,;:/=[]()-1a".charAt(below(random, 14)).repeat(1 + below(random, 50))),
      );
  }
}

/** A place of markup as a rule. @param {Uint8Array} bytes @param {Random} random */
function tagPlace(bytes, random) {
  const at = below(random, bytes.length + 1);
  if (random() < 0.3) return at;
  const tag = bytes.indexOf(random() < 0.5 ? 0x3c : 0x3e, at);
  return tag === -1 ? at : tag + below(random, 3);
}

/** @param {Uint8Array} bytes @param {Random} random @returns {Uint8Array} */
function flipped(bytes, random) {
  const copy = bytes.slice();
  for (let left = 1 + below(random, 8); left > 0; left -= 1) {
    copy[below(random, copy.length)] = below(random, 256);
  }
  return copy;
}

/** The start of one and the end of another. @param {Uint8Array} bytes @param {Means} means @returns {Uint8Array} */
function spliced(bytes, { random, all }) {
  const other = pick(random, all);
  const end = other.subarray(below(random, other.length));
  return inserted(bytes.subarray(0, below(random, bytes.length + 1)), bytes.length, end);
}

/** @param {Uint8Array} bytes @returns {Uint8Array} */
function withLength(bytes) {
  if (bytes.length < 5 || bytes.length > 99_999) return bytes;
  const copy = bytes.slice();
  copy.set(bytesOf(String(bytes.length).padStart(5, "0")));
  return copy;
}

/** @param {Uint8Array} bytes @param {number} at @param {Uint8Array} more @returns {Uint8Array} */
function inserted(bytes, at, more) {
  const place = Math.min(at, bytes.length);
  const result = new Uint8Array(bytes.length + more.length);
  result.set(bytes.subarray(0, place));
  result.set(more, place);
  result.set(bytes.subarray(place), place + more.length);
  return result;
}

/** @param {Uint8Array} bytes @param {number} at @param {number} count @returns {Uint8Array} */
function without(bytes, at, count) {
  return inserted(bytes.subarray(0, at), at, bytes.subarray(at + count));
}

/** @param {string} text @returns {Uint8Array} */
function bytesOf(text) {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** @param {Random} random @param {number} count */
export function below(random, count) {
  return Math.floor(random() * count);
}

/** @template T @param {Random} random @param {readonly T[]} values @returns {T} */
export function pick(random, values) {
  const value = values[below(random, values.length)];
  if (value === undefined) throw new Error("nothing to pick from");
  return value;
}
