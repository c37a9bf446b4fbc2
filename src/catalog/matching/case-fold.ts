/** A text for comparisons in which case does not count, as far as Unicode knows of it: `STRASSE` is `straße`. */
export function caseFold(text: string): string {
  // Upper case first: it spells out what has no single lower case. Of a sigma only the place in the word decides.
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
