/** Text below these has one form only, whatever the form. */
const MAY_CHANGE = /[\u00A0-\uFFFF]/;
/** Marks on one character that are kept: bringing more into order takes time that grows with their square. */
export const MARKS_MAX = 30;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, "gu");

/** The text in a Unicode normalization form. Of more than 30 marks on one character the others are dropped. */
export function normalForm(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  if (!MAY_CHANGE.test(text)) return text;
  // Q300: no language has such text, and it would hold up everything after.
  return (text.length > MARKS_MAX ? text.replace(TOO_MANY_MARKS, "$1") : text).normalize(form);
}
