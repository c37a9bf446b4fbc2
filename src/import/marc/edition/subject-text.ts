import { withoutFinalDot } from "./text.ts";

const ETC_GAP = /[, .]/;
const CHARACTER_END = " character)";
const CAPITAL = /^[A-Z]/;
const PLAIN_WORDS = /^[A-Z][A-Za-z ]+$/;

/** A subject heading as it is shown (import.md 14): `authors, American.` is American Authors. */
export function tidySubject(text: string): string {
  const heading = capitalised(withoutFinalDot(text.trim()).trim());
  const list = beforeEtc(heading);
  if (list !== undefined) return list;
  const bare = withoutFinalDot(heading);
  // Q319: `Apple Computer, Inc.` looks like a turned heading, and becomes `Inc Apple Computer`.
  return turnedCharacter(bare) ?? turnedWords(bare) ?? bare;
}

/** A place as it is shown: `West Indies, British.` is British West Indies. */
export function tidyPlace(text: string): string {
  const place = withoutFinalDot(text).trim();
  if (place.includes("(") || place.includes(")")) return place;
  const comma = place.lastIndexOf(", ", place.length - 3);
  return comma > 0 ? `${place.slice(comma + 2)} ${place.slice(0, comma)}` : place;
}

function capitalised(text: string): string {
  const [initial = ""] = text;
  return text.length > initial.length ? initial.toUpperCase() + text.slice(initial.length) : text;
}

/** What stands in front of a final `etc`. */
function beforeEtc(text: string): string | undefined {
  const last = text.length - 1;
  const end = ETC_GAP.test(text.charAt(last)) ? last : last + 1;
  let start = end - 3;
  if (text.slice(Math.max(0, start), end).toLowerCase() !== "etc" || start < 2) return undefined;
  if (!ETC_GAP.test(text.charAt(start - 1))) return undefined;
  while (start > 1 && ETC_GAP.test(text.charAt(start - 1))) start -= 1;
  return text.slice(0, start);
}

/** `Rhodes, Dan (Fictitious character)` in natural order. */
function turnedCharacter(text: string): string | undefined {
  if (!text.endsWith(CHARACTER_END)) return undefined;
  const remark = text.lastIndexOf(" (", text.length - CHARACTER_END.length - 2);
  const comma = remark < 4 ? -1 : text.lastIndexOf(", ", remark - 3);
  if (comma < 1) return undefined;
  return `${text.slice(comma + 2, remark)} ${text.slice(0, comma)}${text.slice(remark)}`;
}

/** `History, Military` in natural order: plain capitalised words on both sides of one comma. */
function turnedWords(text: string): string | undefined {
  const comma = text.indexOf(", ");
  if (comma < 2) return undefined;
  const [main, addition] = [text.slice(0, comma), text.slice(comma + 2)];
  if (!PLAIN_WORDS.test(main) || !PLAIN_WORDS.test(addition)) return undefined;
  return `${addition} ${main.trimEnd()}`;
}

/** True for `Twain, Mark`: a name that has a capital after a comma. */
export function isTurnedName(text: string): boolean {
  for (let comma = text.indexOf(", ", 1); comma !== -1; comma = text.indexOf(", ", comma + 1)) {
    if (text.length > comma + 3 && CAPITAL.test(text.charAt(comma + 2))) return true;
  }
  return false;
}
