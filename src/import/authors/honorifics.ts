import { normalForm } from "../../catalog/normal-form.ts";
/** Titles that are no part of a name (import.md 17.3). */
const HONORIFICS: ReadonlySet<string> = new Set([
  "countess",
  "doctor",
  "doktor",
  "dr",
  "dr.",
  "frau",
  "fräulein",
  "herr",
  "lady",
  "lord",
  "m.",
  "madame",
  "mademoiselle",
  "miss",
  "mister",
  "mistress",
  "mixter",
  "mlle",
  "mlle.",
  "mme",
  "mme.",
  "monsieur",
  "mr",
  "mr.",
  "mrs",
  "mrs.",
  "ms",
  "ms.",
  "mx",
  "mx.",
  "professor",
  "señor",
  "señora",
  "señorita",
  "sir",
  "sr.",
  "sra.",
  "srta.",
]);
/** Names that are known with theirs. */
const KEPT: ReadonlySet<string> = new Set(["dr. seuss", "dr seuss", "dr oetker", "doctor oetker"]);

/** A name without the honorific in front of it; the name itself when nothing else would be left. */
export function withoutHonorific(name: string): string {
  const end = name.indexOf(" ");
  if (end === -1 || KEPT.has(name.toLowerCase())) return name;
  if (!HONORIFICS.has(normalForm(name.slice(0, end), "NFC").toLowerCase())) return name;
  const rest = name.slice(end).trim();
  return rest === "" ? name : rest;
}
