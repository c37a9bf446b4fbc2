import { values } from "./access.ts";
import type { MarcFields } from "./fields.ts";
import { distinct } from "./text.ts";

const CODE_LETTERS = 3;
const GAPS = /[ -]/g;
const NOT_A_LANGUAGE = "zxx";
/** What stands in 008 where no language is meant. */
const NO_LANGUAGE = new Set(["   ", "###", "|||", "", "???", NOT_A_LANGUAGE, "n/a"]);

/** Codes that were withdrawn, or that catalogues confuse (import.md 13.2). */
const CURRENT_CODE: ReadonlyMap<string, string> = new Map([
  ["ser", "srp"],
  ["end", "eng"],
  ["enk", "eng"],
  ["ent", "eng"],
  ["jap", "jpn"],
  ["fra", "fre"],
  ["fle", "dut"],
  ["fr ", "fre"],
  ["it ", "ita"],
  ["cam", "khm"],
  ["esp", "epo"],
  ["eth", "gez"],
  ["far", "fao"],
  ["fri", "fry"],
  ["gae", "gla"],
  ["gag", "glg"],
  ["gal", "orm"],
  ["gua", "grn"],
  ["int", "ina"],
  ["iri", "gle"],
  ["lan", "oci"],
  ["lap", "smi"],
  ["mla", "mlg"],
  ["mol", "rum"],
  ["sao", "smo"],
  ["scc", "srp"],
  ["scr", "hrv"],
  ["sho", "sna"],
  ["snh", "sin"],
  ["sso", "sot"],
  ["swz", "ssw"],
  ["tag", "tgl"],
  ["taj", "tgk"],
  ["tar", "tat"],
  ["tsw", "tsn"],
]);

/** Languages of the text: that of 008, then those of 041, where several codes may stand without a gap. */
export function languages(fields: MarcFields, coded = ""): string[] {
  const found: string[] = [];
  const main = coded.toLowerCase();
  if (!NO_LANGUAGE.has(main)) found.push(main);
  for (const field of fields.of("041")) {
    // Codes of another list, which the field names.
    if (field.ind2 === "7") continue;
    for (const value of values(field, "a")) addCodes(found, value);
  }
  return distinct(found).map(current);
}

/** Languages of the originals; the same one may come twice. */
export function translatedFrom(fields: MarcFields): string[] {
  const found: string[] = [];
  for (const field of fields.of("041")) {
    for (const value of values(field, "h")) {
      const code = value.toLowerCase();
      if (value.length === CODE_LETTERS && code !== NOT_A_LANGUAGE) found.push(current(code));
    }
  }
  return found;
}

/** `engfre` is English and French; a text that cannot be cut into codes is none. */
function addCodes(found: string[], value: string): void {
  const joined = value.replace(GAPS, "");
  if (joined.length % CODE_LETTERS !== 0) return;
  for (let start = 0; start < joined.length; start += CODE_LETTERS) {
    const code = joined.slice(start, start + CODE_LETTERS).toLowerCase();
    if (code !== NOT_A_LANGUAGE) found.push(code);
  }
}

function current(code: string): string {
  return CURRENT_CODE.get(code) ?? code;
}
