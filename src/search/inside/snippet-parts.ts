/** A piece of a snippet. */
export interface SnippetPart {
  readonly text: string;
  readonly isMatch: boolean;
}

const OPEN = "{{{";
const CLOSE = "}}}";

/** A snippet in pieces, for showing it. An open brace that nothing closes marks the rest (search.md 7.4). */
export function snippetParts(snippet: string): SnippetPart[] {
  const parts: SnippetPart[] = [];
  const [before = "", ...marked] = snippet.split(OPEN);
  parts.push({ text: before, isMatch: false });
  for (const piece of marked) {
    const end = piece.indexOf(CLOSE);
    parts.push({ text: end === -1 ? piece : piece.slice(0, end), isMatch: true });
    if (end !== -1) parts.push({ text: piece.slice(end + CLOSE.length), isMatch: false });
  }
  return parts.filter(({ text }) => text !== "");
}
