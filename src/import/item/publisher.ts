/** Places and publishers out of one text. */
export interface Imprint {
  readonly places: readonly string[];
  readonly publishers: readonly string[];
}

const NO_PLACE = "Place of publication not identified";
const BRACKETS = /[[\]]/g;
const TRIMMED: ReadonlySet<string> = new Set([",", "'", " ", '"']);

/**
 * Reads `place ; place : publisher ; place : publisher` (import.md 3.5). Text without a colon is a publisher; a part with
 * more than one colon cannot be told apart, and ends the reading.
 */
export function imprintOf(text: string | undefined): Imprint {
  const plain = (text ?? "").replaceAll(NO_PLACE, "").replace(BRACKETS, "");
  if (!plain.includes(":")) return { places: [], publishers: trimmed([plain]) };
  const places: string[] = [];
  const publishers: string[] = [];
  let unused: string[] = [];
  for (const part of plain.split(";")) {
    const [left = "", right, ...more] = part.split(":");
    if (more.length > 0) break;
    if (right === undefined) unused.push(left);
    else {
      for (const place of [...unused, left]) places.push(place);
      publishers.push(right);
      unused = [];
    }
  }
  return { places: trimmed(places), publishers: trimmed(publishers) };
}

function trimmed(texts: readonly string[]): string[] {
  return texts.map(trim).filter((text) => text !== "");
}

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && TRIMMED.has(text.charAt(start))) start += 1;
  while (end > start && TRIMMED.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
