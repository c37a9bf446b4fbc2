import { memberOf, type CatalogRecord, type Json } from "./record.ts";

/** Member that differs between two revisions; undefined where a revision lacks it. */
export interface MemberChange {
  readonly name: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

const ENVELOPE: ReadonlySet<string> = new Set(["revision", "latest_revision", "last_modified", "created"]);

/** Returns the members that differ, in the order of the later revision, with those that it lacks at the end. */
export function compareMembers(before: CatalogRecord, after: CatalogRecord): MemberChange[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names]
    .filter((name) => !ENVELOPE.has(name))
    .map((name) => ({ name, before: memberOf(before, name), after: memberOf(after, name) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

export interface TextPart {
  readonly text: string;
  readonly kind: "same" | "before" | "after";
}

/** Maximum number of word pairs compared. Beyond it, the middle of a text counts as rewritten. */
const COMPARED_MAX = 1_000_000;

/** Compares two texts word by word and returns their common and different parts, in order. Pure function. */
export function diffTexts(before: string, after: string): TextPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const isSame = (oldIndex: number, newIndex: number): boolean => old[oldIndex] === now[newIndex];
  let start = 0;
  while (start < old.length && start < now.length && isSame(start, start)) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    isSame(old.length - 1 - end, now.length - 1 - end)
  ) {
    end += 1;
  }
  const middle = diffWords(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const parts: TextPart[] = [
    { text: old.slice(0, start).join(""), kind: "same" },
    ...middle,
    { text: old.slice(old.length - end).join(""), kind: "same" },
  ];
  return joinParts(parts);
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu) ?? [];
}

/** Compares words by the longest common subsequence. */
function diffWords(old: readonly string[], now: readonly string[]): TextPart[] {
  const [rows, columns] = [old.length, now.length];
  if (rows * columns > COMPARED_MAX) {
    return [
      { text: old.join(""), kind: "before" },
      { text: now.join(""), kind: "after" },
    ];
  }
  const width = columns + 1;
  // Length of the longest common subsequence after each pair of positions.
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const parts: TextPart[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    if (row < rows && column < columns && old[row] === now[column]) {
      parts.push({ text: old[row] ?? "", kind: "same" });
      row += 1;
      column += 1;
    } else if (column === columns || (row < rows && at(row + 1, column) >= at(row, column + 1))) {
      parts.push({ text: old[row] ?? "", kind: "before" });
      row += 1;
    } else {
      parts.push({ text: now[column] ?? "", kind: "after" });
      column += 1;
    }
  }
  return parts;
}

function joinParts(parts: readonly TextPart[]): TextPart[] {
  const joinedParts: { text: string; kind: TextPart["kind"] }[] = [];
  for (const { text, kind } of parts) {
    const last = joinedParts.at(-1);
    if (text === "") continue;
    if (last?.kind === kind) last.text += text;
    else joinedParts.push({ text, kind });
  }
  return joinedParts;
}
