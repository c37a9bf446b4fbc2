import { type CatalogRecord, type Json, isObject, stringsOf } from "../record.ts";
import { spamPattern } from "./pattern.ts";

/** What nobody may write, and from which mail domains nobody may write (records.md 10.5). */
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
