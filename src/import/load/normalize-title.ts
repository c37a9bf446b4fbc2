import { isFalsy } from "../members.ts";
import type { ImportRecord } from "../record.ts";

const BETWEEN = " : ";

/** The record with the subtitle that stands in its title, where it has none of its own (import.md 15.2 step 5). */
export function withSubtitle(record: ImportRecord): ImportRecord {
  const { title } = record;
  if (typeof title !== "string" || !title.includes(":") || !isFalsy(record["subtitle"])) return record;
  const [main, subtitle] = splitSubtitle(title);
  // Q322: a title that would be empty stays whole too.
  if (subtitle === undefined || subtitle === "" || main === "") return record;
  return { ...record, title: main, subtitle };
}

/** Title and subtitle of a title, without texts in parentheses; the last colon parts them. */
export function splitSubtitle(fullTitle: string): [title: string, subtitle: string | undefined] {
  const parts = withoutParentheses(fullTitle)
    .split(":")
    .map((part) => part.trim());
  const subtitle = parts.length > 1 ? parts.pop() : undefined;
  return [parts.join(BETWEEN), subtitle];
}

/**
 * Without texts in parentheses; inside them may stand others, one level deep. One pass over the text, whatever it holds:
 * a pattern that does the same takes time with the square of the length.
 */
function withoutParentheses(text: string): string {
  const closing = placesOf(")", text);
  const kept: string[] = [];
  let from = 0;
  let next = 0;
  let open = text.indexOf("(");
  while (open !== -1) {
    while (next < closing.length && (closing[next] ?? 0) < open) next += 1;
    const inner = text.indexOf("(", open + 1);
    const first = closing[next];
    if (first === undefined) break;
    const end = inner === -1 || first < inner ? first : closing[next + 1];
    if (end === undefined) open = inner;
    else {
      kept.push(text.slice(from, open));
      from = end + 1;
      open = text.indexOf("(", from);
    }
  }
  return kept.join("") + text.slice(from);
}

function placesOf(character: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) places.push(at);
  return places;
}
