/**
 * Whether a text is made of these literal parts with anything between them. Takes time in proportion to the
 * text, however many parts there are, which a regular expression does not.
 */
export function matchesGlob(text: string, parts: readonly string[]): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of others) {
    const found = text.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
