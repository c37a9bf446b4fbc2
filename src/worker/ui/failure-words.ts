import type { Failure } from "../http/failure.ts";
import { type Markup, markup } from "./markup.ts";
import { type Words, reason, t } from "./words.ts";

/** Catalogue keys of failures, by the English messages that programs get. */
const WORDS: ReadonlyMap<string, Words> = new Map([
  ["Too many attempts. Wait before you try again.", "too_many_requests.attempts"],
  ["Too many changes are being saved. Try again.", "unavailable.busy"],
  ["Too many registrations are waiting. Try again later.", "unavailable.busy"],
  ["Large images can't be resized right now. Try again later, or send a smaller one", "unavailable.busy"],
  ["missing changesets", "bad_data.choose"],
  ["no permission is named", "bad_data.choose"],
  ["A link elsewhere cannot delete", "forbidden.cross_site"],
  ["A link elsewhere cannot approve", "forbidden.cross_site"],
  ["Must be logged in to create a batch import.", "unauthenticated.login"],
  ["You are not logged in.", "unauthenticated.login"],
  ["Please log in to borrow books.", "unauthenticated.login"],
  ["SESSION_SECRET is not configured.", "unavailable.login"],
  ["READER_SECRET is not configured.", "unavailable.login"],
  ["Not found.", "not_found.page"],
  ["Permission denied.", "forbidden.permission"],
  ["Permission Denied.", "forbidden.permission"],
  ["Forbidden", "forbidden.permission"],
  ["The catalog is read-only right now.", "unavailable.read_only"],
  ["That took too long. Try again.", "unavailable.slow"],
]);

/** Keys of messages with values. The named groups are the values of the catalogue's text. First match wins. */
const PATTERNS: readonly (readonly [RegExp, Words])[] = [
  [/^A list holds at most (?<most>\d+) seeds$/, "bad_data.too_many"],
  [/^At most (?<most>\d+) works of a series are changed at once$/, "bad_data.too_many"],
  [/^Permission denied to modify '.*'$/, "forbidden.permission"],
  [/^Login is unavailable: .*$/, "unavailable.login"],
  [/^(?:more than|There are more than) (?<most>\d+) .*$/, "bad_data.too_many"],
];

/** Renders the text of a failure, or its English message if it has none. */
export function failureText({ text, message }: Failure): Markup {
  return text === undefined ? failureWords(message) : reason(text);
}

/** Returns a failure in the reader's language; undefined if the catalogue does not have it. */
export function translatedFailure(message: string): Markup | undefined {
  const words = WORDS.get(message);
  if (words !== undefined) return t(words);
  for (const [pattern, key] of PATTERNS) {
    const match = pattern.exec(message);
    if (match !== null) return t(key, match.groups);
  }
  return undefined;
}

export function failureWords(message: string): Markup {
  return translatedFailure(message) ?? markup`<span lang="en">${message}</span>`;
}
