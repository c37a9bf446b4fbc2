/**
 * Query texts, valid and invalid: of readers, of clients, and such that break parsers. The same random
 * numbers give the same texts.
 */

const FIELDS = [
  ..."title author by AUTHORS subject publisher isbn lcc ddc lcc_sort language edition_key key".split(" "),
  ..."publish_year first_publish_year ebook_access id_goodreads edition.title work.title Edition.isbn".split(
    " ",
  ),
  ..."name type foo x edition.foo dcc *".split(" "),
];
const WORDS = [
  ..."harry potter the hobbit 1984 love wild* *foo w?ld fuzzy~2 O'Brien J.K. C++ a-b foo,bar spider-man".split(
    " ",
  ),
  ..."978-0-06-093546-7 0060935464 123456789X PZ73 NC760 .B2813 813.54 j574 OL1W /works/OL1W".split(" "),
  ..."T10:20:30 Récits 日本語 😀 İstanbul ß \ud800 \u0000 \u200b * ** TO and or &amp; <b> !x 'n' ,x".split(
    " ",
  ),
];
const MARKS = [
  ..."()[]{}\"':^~*?/\\+-!&|,.<>= \t\n",
  "AND",
  "OR",
  "NOT",
  "TO",
  "&&",
  "||",
  "^2",
  "^",
  "~",
  "\\",
];
const PIECES_MAX = 12;
const DEPTH_MAX = 5;
/** Cumulative shares of the kinds of texts; the rest are valid texts with a piece removed. */
const VALID = 0.45;
const INVALID = 0.75;
const REPEATED = 0.8;
const REPEATS_MAX = 400;

/** Creates a query text. `random` returns numbers in [0, 1). */
export function generateQuery(random: () => number): string {
  const kind = random();
  if (kind < VALID) return validText(random, 0);
  if (kind < INVALID) return invalidText(random);
  if (kind < REPEATED) return anyOf(random, [...MARKS, ...WORDS]).repeat(below(random, REPEATS_MAX));
  const text = validText(random, 0);
  const cut = below(random, text.length + 1);
  return text.slice(0, cut) + text.slice(cut + below(random, 4));
}

function invalidText(random: () => number) {
  const pieces = Array.from({ length: 1 + below(random, PIECES_MAX) }, () => {
    const kind = random();
    if (kind < 0.4) return anyOf(random, MARKS);
    return kind < 0.8 ? anyOf(random, WORDS) : `${anyOf(random, FIELDS)}:`;
  });
  return pieces.join(random() < 0.5 ? "" : " ");
}

function validText(random: () => number, depth: number): string {
  let text = operand(random, depth);
  for (let count = below(random, 4); count > 0; count -= 1) {
    text += anyOf(random, [" ", " ", "  ", " AND ", " OR "]) + operand(random, depth);
  }
  return text;
}

function operand(random: () => number, depth: number): string {
  const kind = random();
  const boost = random() < 0.05 ? `^${below(random, 10)}` : "";
  if (depth < DEPTH_MAX && kind < 0.1) return `(${validText(random, depth + 1)})${boost}`;
  if (depth < DEPTH_MAX && kind < 0.2) return anyOf(random, ["NOT ", "-", "+"]) + operand(random, depth + 1);
  if (depth < DEPTH_MAX && kind < 0.45) {
    return anyOf(random, FIELDS) + anyOf(random, [":", ": ", " : "]) + operand(random, depth + 1);
  }
  if (kind < 0.55) return `"${anyOf(random, WORDS)} ${anyOf(random, WORDS)}"${boost}`;
  if (kind < 0.62) return range(random);
  return anyOf(random, WORDS) + boost;
}

function range(random: () => number) {
  const ends = ["*", "1990", "2000", "A1", "PZ73", "23.2", "noise", "-5", '"a b"'];
  const open = anyOf(random, ["[", "{"]);
  return `${open}${anyOf(random, ends)} TO ${anyOf(random, ends)}${anyOf(random, ["]", "}"])}`;
}

function anyOf<Value>(random: () => number, values: readonly Value[]): Value {
  return values[below(random, values.length)] as Value;
}

function below(random: () => number, limit: number) {
  return Math.floor(random() * limit);
}
