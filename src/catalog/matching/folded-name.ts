import { normalForm } from "../normal-form.ts";
const MARKS = /\p{M}+/gu;
const BLANKS = /\s+/g;

/** A name without accents and case, single blanks between its words: how names of languages are compared. */
export function foldedName(name: string): string {
  return normalForm(name, "NFKD").replace(MARKS, "").toLowerCase().replace(BLANKS, " ").trim();
}
