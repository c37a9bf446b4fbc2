const BLANK = /\s/;
const OPENING = new Set(["{", "["]);
const CLOSING = new Set(["}", "]"]);

/**
 * Names and JSON texts of the members of an object, in order, repeated names kept: `JSON.parse` keeps only the
 * last one of a name. The text must be valid JSON of an object.
 */
export function jsonMembers(text: string): [name: string, value: string][] {
  const members: [string, string][] = [];
  let position = text.indexOf("{") + 1;
  for (;;) {
    const start = text.indexOf('"', position);
    if (start === -1 || onlyBlanksAndEnd(text, position)) return members;
    const nameEnd = stringEnd(text, start);
    const valueStart = text.indexOf(":", nameEnd) + 1;
    const end = valueEnd(text, valueStart);
    // A string in valid JSON parses to a string.
    members.push([JSON.parse(text.slice(start, nameEnd)) as string, text.slice(valueStart, end).trim()]);
    position = end + 1;
  }
}

/** True where the object ends: what follows is blank but for the brace. */
function onlyBlanksAndEnd(text: string, position: number): boolean {
  let at = position;
  while (at < text.length && BLANK.test(text.charAt(at))) at += 1;
  return at >= text.length || text.charAt(at) === "}";
}

/** Position after the closing quote of the string that starts at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

/** Position of the comma or brace after a value. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (depth === 0 && (character === "," || character === "}")) return at;
    if (OPENING.has(character)) depth += 1;
    else if (CLOSING.has(character)) depth -= 1;
    at = character === '"' ? stringEnd(text, at) : at + 1;
  }
  return at;
}
