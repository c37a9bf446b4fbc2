// Misspelt phrases, made by rule: one mistake in a random word, never in its first letter.

/** Shortest word to misspell, and shortest to write as two words, in letters. */
const WORD_LENGTH_MIN = 4;
const SPLIT_LENGTH_MIN = 6;
const WORD = /[A-Za-z]+/g;
const PAIR = /[A-Za-z]{2,} (?=[A-Za-z]{2,})/g;

/** Rows of a keyboard: a letter is mistaken for the one before or after it. */
const KEYBOARD = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
/** Spellings that sound alike. */
const SOUNDS = [
  ["ph", "f"],
  ["ie", "ei"],
  ["ea", "ee"],
  ["ck", "k"],
  ["ou", "oo"],
  ["er", "or"],
  ["ce", "se"],
  ["ai", "ay"],
  ["c", "k"],
  ["s", "z"],
  ["i", "y"],
  ["a", "e"],
  ["e", "i"],
  ["o", "a"],
] as const;

type Random = (below: number) => number;

/** Rules of one word; the place is that of a letter after the first one. */
const WORD_RULES: readonly ((word: string, at: number, random: Random) => string | undefined)[] = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at + 1) + word.slice(at),
  (word, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  mistype,
  mishear,
];

function mistype(word: string, at: number, random: Random): string | undefined {
  const row = KEYBOARD.find((letters) => letters.includes(word.charAt(at))) ?? "";
  const place = row.indexOf(word.charAt(at));
  const neighbours = [row.charAt(place - 1), row.charAt(place + 1)].filter((letter) => letter !== "");
  const letter = neighbours[random(neighbours.length)];
  return letter === undefined ? undefined : word.slice(0, at) + letter + word.slice(at + 1);
}

function mishear(word: string, _at: number, random: Random): string | undefined {
  const changes = SOUNDS.flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]).flatMap(([from = "", to = ""]) => {
    const place = word.indexOf(from, 1);
    return place === -1 ? [] : [word.slice(0, place) + to + word.slice(place + from.length)];
  });
  return changes[random(changes.length)];
}

/** Returns a phrase with one mistake, made by a random rule; undefined if the rule does not apply to it. */
export function misspellPhrase(phrase: string, random: Random): string | undefined {
  const text = phrase.toLowerCase();
  // After the rules of words, one joins two words and one splits a word.
  const number = random(WORD_RULES.length + 2);
  const misspelt =
    number === WORD_RULES.length
      ? replaceOne(text, { pattern: PAIR, random }, (pair) => pair.trimEnd())
      : replaceOne(text, { pattern: WORD, random }, (word) => misspellWord(word, number, random));
  return misspelt === text ? undefined : misspelt;
}

function misspellWord(word: string, number: number, random: Random): string | undefined {
  const rule = WORD_RULES[number];
  if (rule === undefined) {
    if (word.length < SPLIT_LENGTH_MIN) return undefined;
    const at = 2 + random(word.length - 3);
    return `${word.slice(0, at)} ${word.slice(at)}`;
  }
  return word.length < WORD_LENGTH_MIN ? undefined : rule(word, 1 + random(word.length - 2), random);
}

/** Replaces one of the parts that match a pattern. */
function replaceOne(
  text: string,
  { pattern, random }: { pattern: RegExp; random: Random },
  change: (part: string) => string | undefined,
): string | undefined {
  const parts = [...text.matchAll(pattern)];
  const part = parts[random(parts.length)];
  const changed = part && change(part[0]);
  if (part === undefined || changed === undefined) return undefined;
  return text.slice(0, part.index) + changed + text.slice(part.index + part[0].length);
}
