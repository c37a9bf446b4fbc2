import { MIB } from "./units.ts";
import type { Text, TextKey } from "./texts.ts";
import { type CatalogRecord, type Json, isObject, stringsOf } from "./record.ts";

/** Maximum length of a spam word, in UTF-16 units. */
export const SPAM_WORD_LENGTH = 200;
/** Maximum value of the minimum of a quantifier. */
const SPAM_REPEATS_MIN = 100;
/**
 * Maximum number of further repetitions of a quantifier, including `*` and `+`: for the only one of a word, and with
 * two or three. All of them together are tried at every position of the text.
 */
const SPAM_REPEATS_MAX = [100, 30, 10];

type SpamWordProblem = Text<Extract<TextKey, `bad_data.spam_word_${string}`>>;

type SpamPattern =
  | { readonly ok: true; readonly expression: RegExp }
  | { readonly ok: false; readonly problem: SpamWordProblem };

interface PatternGroup {
  /** True if something in it can match in more than one way. */
  varies: boolean;
}

const TOKEN =
  /(?<back>\\(?:[1-9]|k<))|(?<many>[*+?]|\{\d+(?:,\d*)?\})|(?<open>\((?:\?(?::|=|!|<=|<!|<[^>=!(]*>))?)|(?<close>\))|(?<or>\|)|\\.|\[(?:\\.|[^\]\\])*(?:\]|$)|./gsy;

/**
 * Compiles a spam word: a regular expression that cannot take long for any text. Repeated parts may not contain
 * repetitions or alternatives; backreferences are not allowed; and repetitions are bounded.
 */
export function compileSpamWord(word: string): SpamPattern {
  if (word.length > SPAM_WORD_LENGTH) return reject(word, "bad_data.spam_word_length", SPAM_WORD_LENGTH);
  const bounded = boundRepetitions(word);
  if ("problem" in bounded) return { ok: false, problem: bounded.problem };
  try {
    const expression = new RegExp(bounded.source, "i");
    return expression.test("") ? reject(word, "bad_data.spam_word_empty") : { ok: true, expression };
  } catch (error) {
    if (error instanceof SyntaxError) return reject(word, "bad_data.spam_word_syntax");
    throw error;
  }
}

function reject(
  word: string,
  key: SpamWordProblem["key"],
  most = 0,
): { readonly ok: false; readonly problem: SpamWordProblem } {
  return { ok: false, problem: { key, values: { word, most } } };
}

function boundRepetitions(word: string): { readonly source: string } | { readonly problem: SpamWordProblem } {
  const open: PatternGroup[] = [{ varies: false }];
  let last: PatternGroup = { varies: false };
  let source = "";
  const tokens = [...word.matchAll(TOKEN)];
  const repeating = tokens.filter(({ groups = {} }) => isRepeating(groups["many"])).length;
  const most = SPAM_REPEATS_MAX[Math.max(0, repeating - 1)];
  if (most === undefined) return reject(word, "bad_data.spam_word_repeats", SPAM_REPEATS_MAX.length);
  for (const { 0: text, groups = {} } of tokens) {
    const group = open.at(-1) ?? last;
    if (groups["back"] !== undefined) return reject(word, "bad_data.spam_word_backreference");
    if (groups["many"] === undefined) {
      if (groups["open"] !== undefined) open.push({ varies: false });
      if (groups["or"] !== undefined) group.varies = true;
      last = groups["close"] === undefined ? { varies: false } : closeGroup(open);
      source += text;
      continue;
    }
    const { min, max } = parseQuantifier(text, most);
    group.varies = true;
    if (isRepeating(text) && last.varies) return reject(word, "bad_data.spam_word_nested");
    if (max > most + min || min > SPAM_REPEATS_MIN) return reject(word, "bad_data.spam_word_repeats", most);
    source += text === "?" ? text : `{${min},${max}}`;
  }
  return { source };
}

/** Ends a group. If it varies, the group around it varies too. */
function closeGroup(open: PatternGroup[]): PatternGroup {
  const group = open.pop() ?? { varies: false };
  const outer = open.at(-1);
  if (outer !== undefined && group.varies) outer.varies = true;
  return group;
}

/** Returns true for quantifiers that repeat. A question mark only makes a part optional or lazy. */
function isRepeating(quantifier: string | undefined): boolean {
  return quantifier !== undefined && quantifier !== "?" && parseQuantifier(quantifier, Infinity).max > 1;
}

function parseQuantifier(quantifier: string, most: number): { min: number; max: number } {
  if (quantifier === "?") return { min: 0, max: 1 };
  if (quantifier === "*") return { min: 0, max: most };
  if (quantifier === "+") return { min: 1, max: most };
  const [min = "0", max] = quantifier.slice(1, -1).split(",");
  const least = Number(min);
  if (max === undefined) return { min: least, max: least };
  return { min: least, max: max === "" ? least + most : Number(max) };
}

/** Spam rules: forbidden words, and mail domains whose users may not write. */
export interface SpamRules {
  readonly words: readonly RegExp[];
  /** In lower case. */
  readonly domains: ReadonlySet<string>;
}

export const SPAM_WORDS_MAX = 500;
/** Maximum number of UTF-16 units per change that are searched for spam words. */
export const SPAM_TEXT_LENGTH = MIB;

/** Reads the rules of a stored document `{spamwords, domains}`. Invalid words are skipped. */
export function readSpamRules(document: CatalogRecord): SpamRules {
  const patterns = stringsOf(document["spamwords"]).slice(0, SPAM_WORDS_MAX).map(compileSpamWord);
  return {
    words: patterns.flatMap((pattern) => (pattern.ok ? [pattern.expression] : [])),
    domains: new Set(stringsOf(document["domains"]).map((domain) => domain.toLowerCase())),
  };
}

/** Returns true for an email address in one of the domains or their subdomains. */
export function isSpamAddress(email: string, { domains }: Pick<SpamRules, "domains">): boolean {
  const labels = email
    .slice(email.lastIndexOf("@") + 1)
    .toLowerCase()
    .split(".");
  return labels.some((_label, index) => domains.has(labels.slice(index).join(".")));
}

/** Returns true if the text contains one of the words, ignoring case. */
export function isSpamText(text: string, { words }: Pick<SpamRules, "words">): boolean {
  const folded = text.toLowerCase();
  return words.some((word) => word.test(folded));
}

/** Returns all texts in documents, one per line, without keys and types. At most `SPAM_TEXT_LENGTH`. */
export function textOfDocuments(documents: readonly CatalogRecord[]): string {
  const texts: string[] = [];
  let length = 0;
  // Explicit stack, because documents may be nested deeper than the call stack allows.
  const pending: (Json | undefined)[] = documents.toReversed();
  while (pending.length > 0 && length < SPAM_TEXT_LENGTH) {
    const value = pending.pop();
    if (typeof value === "string") {
      texts.push(value);
      length += value.length + 1;
    } else if (Array.isArray(value)) {
      for (const element of value.toReversed()) pending.push(element);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value).toReversed()) {
        if (name !== "key" && name !== "type") pending.push(member);
      }
    }
  }
  return texts.join("\n").slice(0, SPAM_TEXT_LENGTH);
}
