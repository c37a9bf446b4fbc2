import { type CatalogRecord, type Json, isObject, stringsOf } from "./record.ts";

/** Longest spam word, in UTF-16 units. */
export const SPAM_WORD_LENGTH = 200;
/** How often a quantifier repeats at least. */
const SPAM_REPEATS_MIN = 100;
/**
 * How many more times it repeats at most, `*` and `+` among them: the only one of a word, and one of two or three.
 * Together they are tried at every place of the text.
 */
const SPAM_REPEATS_MAX = [100, 30, 10];

/** A spam word as it is searched for, or why it is none. */
type SpamPattern =
  | { readonly ok: true; readonly expression: RegExp }
  | { readonly ok: false; readonly problem: string };

interface Group {
  /** Something in it can match in more than one way. */
  varies: boolean;
}

const TOKEN =
  /(?<back>\\(?:[1-9]|k<))|(?<many>[*+?]|\{\d+(?:,\d*)?\})|(?<open>\((?:\?(?::|=|!|<=|<!|<[^>=!(]*>))?)|(?<close>\))|(?<or>\|)|\\.|\[(?:\\.|[^\]\\])*(?:\]|$)|./gsy;

/**
 * Reads a spam word: a regular expression that cannot take long, whatever the text. What repeats may
 * not contain what repeats or branches; there are no backreferences; and repetitions are bounded.
 */
export function spamPattern(word: string): SpamPattern {
  if (word.length > SPAM_WORD_LENGTH) return refused(`longer than ${SPAM_WORD_LENGTH} characters`);
  const bounded = boundedSource(word);
  if ("problem" in bounded) return refused(bounded.problem);
  try {
    const expression = new RegExp(bounded.source, "i");
    return expression.test("") ? refused("it matches every text") : { ok: true, expression };
  } catch (error) {
    if (error instanceof SyntaxError) return refused("not a regular expression");
    throw error;
  }
}

function refused(problem: string): SpamPattern {
  return { ok: false, problem };
}

function boundedSource(word: string): { readonly source: string } | { readonly problem: string } {
  const open: Group[] = [{ varies: false }];
  let last: Group = { varies: false };
  let source = "";
  const tokens = [...word.matchAll(TOKEN)];
  const repeating = tokens.filter(({ groups = {} }) => isRepeating(groups["many"])).length;
  const most = SPAM_REPEATS_MAX[Math.max(0, repeating - 1)];
  if (most === undefined) {
    return { problem: `more than ${SPAM_REPEATS_MAX.length} repetitions of something` };
  }
  for (const { 0: text, groups = {} } of tokens) {
    const group = open.at(-1) ?? last;
    if (groups["back"] !== undefined) return { problem: "backreferences are not allowed" };
    if (groups["many"] === undefined) {
      if (groups["open"] !== undefined) open.push({ varies: false });
      if (groups["or"] !== undefined) group.varies = true;
      last = groups["close"] === undefined ? { varies: false } : closed(open);
      source += text;
      continue;
    }
    const { min, max } = repeats(text, most);
    group.varies = true;
    if (isRepeating(text) && last.varies)
      return { problem: "what repeats may not contain what repeats or branches" };
    if (max > most + min || min > SPAM_REPEATS_MIN) return { problem: `more than ${most} repetitions` };
    source += text === "?" ? text : `{${min},${max}}`;
  }
  return { source };
}

/** Ends a group; what varies in it varies in the one around it. */
function closed(open: Group[]): Group {
  const group = open.pop() ?? { varies: false };
  const around = open.at(-1);
  if (around !== undefined && group.varies) around.varies = true;
  return group;
}

/** A question mark only says which match is tried first, or that something may be missing. */
function isRepeating(quantifier: string | undefined): boolean {
  return quantifier !== undefined && quantifier !== "?" && repeats(quantifier, Infinity).max > 1;
}

function repeats(quantifier: string, most: number): { min: number; max: number } {
  if (quantifier === "?") return { min: 0, max: 1 };
  if (quantifier === "*") return { min: 0, max: most };
  if (quantifier === "+") return { min: 1, max: most };
  const [min = "0", max] = quantifier.slice(1, -1).split(",");
  const least = Number(min);
  if (max === undefined) return { min: least, max: least };
  return { min: least, max: max === "" ? least + most : Number(max) };
}

/** What nobody may write, and from which mail domains nobody may write. */
export interface SpamRules {
  readonly words: readonly RegExp[];
  /** In lower case. */
  readonly domains: ReadonlySet<string>;
}

/** Spam words that there can be. */
export const SPAM_WORDS_MAX = 500;
/** Most UTF-16 units of one change that are searched for spam words. */
export const SPAM_TEXT_LENGTH = 1024 * 1024;

/** Rules of a stored document `{spamwords, domains}`; words that cannot be searched for are passed over. */
export function spamRules(document: CatalogRecord): SpamRules {
  const patterns = stringsOf(document["spamwords"]).slice(0, SPAM_WORDS_MAX).map(spamPattern);
  return {
    words: patterns.flatMap((pattern) => (pattern.ok ? [pattern.expression] : [])),
    domains: new Set(stringsOf(document["domains"]).map((domain) => domain.toLowerCase())),
  };
}

/** True for an address in one of the domains, or in one below it. */
export function isSpamAddress(email: string, { domains }: Pick<SpamRules, "domains">): boolean {
  const labels = email
    .slice(email.lastIndexOf("@") + 1)
    .toLowerCase()
    .split(".");
  return labels.some((_label, index) => domains.has(labels.slice(index).join(".")));
}

/** True when one of the words stands in the text, whatever its case. */
export function isSpamText(text: string, { words }: Pick<SpamRules, "words">): boolean {
  const folded = text.toLowerCase();
  return words.some((word) => word.test(folded));
}

/** All texts in documents, a line each; keys and types are none. Not more than `SPAM_TEXT_LENGTH`. */
export function textOfDocuments(documents: readonly CatalogRecord[]): string {
  const texts: string[] = [];
  let length = 0;
  // A list of what is left, because documents may be nested deeper than calls can be.
  const left: (Json | undefined)[] = documents.toReversed();
  while (left.length > 0 && length < SPAM_TEXT_LENGTH) {
    const value = left.pop();
    if (typeof value === "string") {
      texts.push(value);
      length += value.length + 1;
    } else if (Array.isArray(value)) {
      for (const element of value.toReversed()) left.push(element);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value).toReversed()) {
        if (name !== "key" && name !== "type") left.push(member);
      }
    }
  }
  return texts.join("\n").slice(0, SPAM_TEXT_LENGTH);
}
