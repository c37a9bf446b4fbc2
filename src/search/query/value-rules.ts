import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { normalizeDdc, normalizeDdcPrefix } from "../classification/ddc.ts";
import { sortableLccPrefix, toSortableLcc } from "../classification/lcc.ts";
import { isbnOfDigits } from "./isbn-query.ts";
import { type Tree, phraseOf, wordOfParts } from "./syntax.ts";

/** How values of a field are brought into the form that the index has. Undefined: the value stays as typed. */
export interface ValueRules {
  /** Of a whole value. */
  value(text: string): string | undefined;
  /** Of what stands before the first wildcard. */
  start?(text: string): string | undefined;
  /** Of one end of a range. */
  end?(text: string): string | undefined;
  /** Of several bare words, joined by blanks, that may be one value. */
  words?(text: string): Tree | undefined;
}

const ISBN: ValueRules = {
  value: canonicalIsbn,
  words: (text) => {
    const isbn = isbnOfDigits(text);
    return isbn === undefined ? undefined : wordOfParts([isbn]);
  },
};

const LCC: ValueRules = {
  value: toSortableLcc,
  start: sortableLccPrefix,
  end: toSortableLcc,
  words: lccOfWords,
};

const DDC: ValueRules = {
  value: firstDdc,
  start: normalizeDdcPrefix,
  end: (text) => firstDdc(text) ?? text,
};

const RULES = new Map([
  ["isbn", ISBN],
  ["lcc", LCC],
  ["lcc_sort", LCC],
  ["ddc", DDC],
  ["ddc_sort", DDC],
]);

/** Fields that hold an OLID, with the path and the letter of its record. */
const OLID_FIELDS = new Map([
  ["edition_key", { path: "/books/", letter: "M" }],
  ["author_key", { path: "/authors/", letter: "A" }],
  ["series_key", { path: "/series/", letter: "L" }],
]);

/** Rules of a field of works; undefined when its values stay as they are. */
export function rulesOf(field: string, prefix: string): ValueRules | undefined {
  const olid = OLID_FIELDS.get(field);
  return olid === undefined ? RULES.get(field) : olidRules(olid.path, { prefix, letter: olid.letter });
}

/** Keys of records may be given for OLIDs (A16), a readable end of the URL included. */
function olidRules(path: string, { prefix, letter }: { prefix: string; letter: string }): ValueRules {
  return {
    value: (text) => {
      if (!text.startsWith(path)) return undefined;
      const [olid = "", ...slug] = text.slice(path.length).split("/");
      const isOlid = olid.startsWith(prefix) && olid.endsWith(letter);
      return isOlid || slug.length === 0 ? olid : undefined;
    },
    start: (text) => (text.startsWith(path) ? text.slice(path.length) : undefined),
  };
}

function firstDdc(text: string): string | undefined {
  return normalizeDdc(text)[0];
}

/** A call number with a blank is one value; without one it may be the start of others. */
function lccOfWords(text: string): Tree | undefined {
  const lcc = toSortableLcc(text);
  if (lcc === undefined) return undefined;
  return lcc.includes(" ") ? phraseOf(lcc) : wordOfParts([lcc, ""]);
}
