/**
 * Returns true if a text consists of these literal parts with any text between them. Takes time in proportion to the
 * text for any number of parts, unlike a regular expression.
 */
export function matchesGlob(text: string, parts: readonly string[]): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of others) {
    const index = text.indexOf(part, position);
    if (index === -1) return false;
    position = index + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
