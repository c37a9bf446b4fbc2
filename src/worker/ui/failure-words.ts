import type { Failure } from "../http/failure.ts";
import { type Markup, markup } from "./markup.ts";
import { type Words, reason, t } from "./words.ts";

/** Catalogue keys of failures, by the English messages that programs get. */
const WORDS: ReadonlyMap<string, Words> = new Map([
  ["Someone else edited this record while you were editing.", "edit.conflict"],
  ["The account is blocked. Unblock it first.", "failure.account_blocked"],
  ["The archive isn't responding. Try again later.", "failure.archive"],
  ["The archive isn't responding.", "failure.archive"],
  ["No archive is configured, so records can't be imported.", "failure.archive"],
  ["Too many attempts. Wait before you try again.", "too_many_requests.attempts"],
  ["Deleting author pages that are referenced is not allowed.", "failure.author_in_use"],
  ["Changing type of author pages is not allowed.", "failure.author_in_use"],
  ["Too many changes are being saved. Try again.", "unavailable.busy"],
  ["Too many registrations are waiting. Try again later.", "unavailable.busy"],
  ["Large images can't be resized right now. Try again later, or send a smaller one", "unavailable.busy"],
  ["missing changesets", "bad_data.choose"],
  ["no permission is named", "bad_data.choose"],
  ["missing comment", "failure.comment"],
  ["A link elsewhere cannot delete", "forbidden.cross_site"],
  ["A link elsewhere cannot approve", "forbidden.cross_site"],
  ["Enter at least one ID.", "failure.ids"],
  ["missing bot", "failure.form"],
  ["missing mr_type", "failure.form"],
  ["missing mrid", "failure.form"],
  ["missing olids", "failure.form"],
  ["missing spamwords or domains", "failure.form"],
  ["Seed key cannot be empty", "failure.seed"],
  ["Invalid seed", "failure.seed"],
  ["missing keys", "failure.keys"],
  ["Must be logged in to create a batch import.", "unauthenticated.login"],
  ["You are not logged in.", "unauthenticated.login"],
  ["Please log in to borrow books.", "unauthenticated.login"],
  ["This request has already been closed.", "failure.merge_closed"],
  ["The records were merged, but the merge request wasn't updated.", "failure.merge_note"],
  ["Choose at least two records to merge.", "failure.merge_two"],
  ["Choose an identifier type", "failure.missing_kind"],
  ["Enter a name", "failure.missing_name"],
  ["Enter the author's name", "failure.missing_name"],
  ["A merge request for these items already exists.", "failure.merge_exists"],
  ["Enter a title", "failure.missing_title"],
  ["List or Series not found", "failure.no_list"],
  ["SESSION_SECRET is not configured.", "unavailable.login"],
  ["READER_SECRET is not configured.", "unavailable.login"],
  ["Merge request not found.", "failure.no_merge"],
  ["a load of a dump cannot be undone", "failure.no_undo"],
  ["the documents are too large to be brought back at once", "failure.no_undo"],
  ["Not found.", "not_found.page"],
  ["Permission denied.", "forbidden.permission"],
  ["Permission Denied.", "forbidden.permission"],
  ["Forbidden", "forbidden.permission"],
  ["The catalog is read-only right now.", "unavailable.read_only"],
  ["Changing the Internet Archive ID is not allowed.", "failure.scan"],
  ["Series have no owner. Add them at /series/add.", "failure.series_owner"],
  ["That took too long. Try again.", "unavailable.slow"],
  ["This looks like spam. Contact us if it isn't.", "failure.spam"],
  ["Not a valid tag", "failure.tag"],
  ["The account has too many tags.", "failure.too_many_tags"],
  ["The file isn't UTF-8.", "failure.utf8"],
  ["Choose a file or enter lines.", "imports.empty"],
  ["The file has no records.", "imports.empty"],
]);

/** Keys of messages with values. The named groups are the values of the catalogue's text. First match wins. */
const PATTERNS: readonly (readonly [RegExp, Words])[] = [
  [/^A (?:list|series) name is required\.$/, "failure.missing_name"],
  [/^A (?:name|description) can have at most (?<most>\d+) characters\.$/, "failure.characters"],
  [/^At most (?<tags>\d+) tags of (?<most>\d+) characters\.$/, "failure.tags"],
  [/^A list holds at most (?<most>\d+) seeds$/, "bad_data.too_many"],
  [/^At most (?<most>\d+) works of a series are changed at once$/, "bad_data.too_many"],
  [/^Bad (?:action|number of [^:]+): /, "failure.form"],
  [/^Permission denied to modify '.*'$/, "forbidden.permission"],
  [/^Login is unavailable: .*$/, "unavailable.login"],
  [/^(?:Bad|no) group '(?<group>.*)'$/, "failure.no_group"],
  [/^no key of a search document: '(?<value>.*)'$/, "failure.key"],
  [/^(?:more than|There are more than) (?<most>\d+) .*$/, "bad_data.too_many"],
  [/^Bad address '(?<value>.*)'$/, "failure.address"],
  [/^(?:Seed not found: |There is no work ')(?<key>.*?)'?$/, "failure.no_record"],
  [/^(?<name>\S+) is already assigned to this request\.$/, "failure.merge_assigned"],
  [/^too many records: the merge goes on, job (?<job>\S+)$/, "failure.merge_job"],
  [/^already undone by change (?<change>\S+)$/, "failure.undone"],
  [/^edited since: (?<keys>.*)$/, "failure.edited_since"],
  [/^revision \d+ of \S+ is not known$/, "failure.no_undo"],
  [/^(?<waiting>\d+) of your batches are waiting for approval\..*$/, "failure.batches"],
  [/^An id is longer than (?<most>\d+) characters\.$/, "failure.id_length"],
  [/^publish_date field: .*\(Type: missing\)$/, "failure.placeholder_date"],
  [/^(?<field>[^:]*) field: .* \(Type: (?:missing|too_short|string_too_short)\)$/, "failure.line_missing"],
  [/^(?<field>[^:]*) field: .* \(Type: \w+\)$/, "failure.line_wrong"],
  [/^Not a valid ISBN: (?<isbn>.*)$/, "edit.not_isbn"],
  [/^This date has no year: (?<date>.*)$/, "edit.no_year"],
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
