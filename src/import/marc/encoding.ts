import { repairUtf8 } from "../../catalog/bytes.ts";
import { toNormalForm } from "../../catalog/matching/match-keys.ts";
import { type ImportWarning, addWarning } from "../warning.ts";
import type { EaccTable } from "./eacc.ts";
import { Marc8Text, isMarc8 } from "./marc8.ts";

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ESCAPE = 0x1b;
/** Anything but ASCII, and the escape that changes the character set in MARC-8. */
// oxlint-disable-next-line no-control-regex -- all of ASCII but one
const NOT_PLAIN_UTF8 = /[^\0-\u001A\u001C-\u007F]/;

/** Letters after their mark, as MARC-8 has them, that no language writes in Latin-1. */
const MARC8_SPELLING = /[âåè][aeiou]|á[aou]|[à-þ][A-Z]|éséc|déz/;
/** Bytes that are marks and letters in MARC-8, and letters and signs in Latin-1. */
const EITHER = /[à-þÀÁÄÇ§©ªº°·¡¼½¾]/g;
/** Those of them that stand where Latin-1 has them, although the character after them could have the mark. */
const LATIN_SPELLING = new RegExp(
  [
    "(?<=[B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z])[áäèéê](?=[b-df-hj-np-tv-z])",
    String.raw`é(?=[aeou])|(?<!\p{L})é(?=[dghj-lnt])|(?<=[iu])é(?=n)|á(?=n)|ä(?=u|n[b-df-hj-np-tv-z])`,
    String.raw`ç(?=[aou])|(?<=[AEOUaeou])ñ(?=[aei])|ñ(?=o)|ã(?=[eo]s?(?!\p{L}))`,
    String.raw`[§©](?= ?\d)|(?<=\d)[ªº°¼½¾]|°(?!\p{L})|(?<= )·(?= )|¡(?=[A-Z])`,
    String.raw`[ÁÄ](?=[a-z])|(?<!\p{L})Ç|(?<!\S)À`,
  ].join("|"),
  "gu",
);
/** Two letters with the halves of a ligature, which are marks of their own. */
const LIGATURES = /\uFE20(.)\uFE21/gu;
const MARKS = /\p{M}/gu;
/** Codes of Windows-1252 without a character. */
const UNASSIGNED = /[\u0081\u008D\u008F\u0090\u009D]/g;
/** Marks of non-sorting in Latin-1, which are other characters in Windows-1252. */
const LATIN_ARTICLE = /\u02DC([^\u0153]{1,16})\u0153/g;

const READ_AS = {
  "UTF-8": "read-as-utf-8",
  "MARC-8": "read-as-marc-8",
  "Windows-1252": "read-as-windows-1252",
} as const;
type Encoding = keyof typeof READ_AS;

interface TextOptions {
  readonly eacc: EaccTable | undefined;
  /** True if text that could be MARC-8 or Windows-1252 is Windows-1252. */
  readonly isLatin: boolean;
}

/**
 * Decoder of the text of one record. The bytes of each subfield decide: they are UTF-8, or UTF-8 with damage, or MARC-8
 * with changes of the character set, or else MARC-8 or Windows-1252, which includes Latin-1. Text that could be either of
 * the last two is read like the rest of the record. The code in the leader only counts for all other text (Q700).
 */
export class RecordText {
  readonly #leaderCode: string;
  readonly #declared: Encoding;
  readonly #isLatin: boolean;
  readonly #marc8: Marc8Text;
  /** Tags of the fields with text beyond ASCII in each encoding, and of those with bytes that are no text (Q770). */
  readonly #tags = new Map<Encoding | "damaged", Set<string>>();
  #hasMarc8Spelling = false;
  /** Number of bytes that could be either, and of those that rather are Latin-1. */
  #either = 0;
  #latin = 0;

  /** `leaderCode`: position 9 of the leader, a space for MARC-8. */
  constructor(leaderCode: string, { eacc, isLatin }: TextOptions) {
    this.#leaderCode = leaderCode;
    this.#declared = leaderCode === " " ? "MARC-8" : "UTF-8";
    this.#isLatin = isLatin;
    this.#marc8 = new Marc8Text(eacc);
  }

  /** True if East Asian characters were decoded as spaces because their table was missing. */
  get lacksTable(): boolean {
    return this.#marc8.lacksTable;
  }

  /** True if text was read as MARC-8 that the record as a whole shows to be Windows-1252. */
  get seemsLatin(): boolean {
    if (this.#hasMarc8Spelling || this.#either === 0) return false;
    return this.#tags.has("Windows-1252") || 2 * this.#latin > this.#either;
  }

  /** Returns true if text whose bytes are these characters needs no decoding. */
  isPlain(characters: string): boolean {
    return this.#declared === "MARC-8" ? this.#marc8.isPlain(characters) : !NOT_PLAIN_UTF8.test(characters);
  }

  /** Decodes bytes of a field, which are `latin` in Windows-1252, to text in NFC. */
  decode(bytes: Uint8Array, latin: string, tag: string): string {
    const first = bytes.findIndex((byte) => byte > 0x7f);
    const isShifted = bytes.includes(ESCAPE);
    if (first !== -1 && !(isShifted && this.#declared === "MARC-8")) {
      const whole = decodeUtf8(bytes, first);
      const utf8 = whole ?? (isShifted ? undefined : repairUtf8(bytes));
      if (utf8 !== undefined && whole === undefined) this.#note("damaged", tag, "");
      if (utf8 !== undefined) return this.#note("UTF-8", tag, toNormalForm(utf8, "NFC"));
    }
    if (first !== -1 && !isShifted && (this.#isLatin || !isMarc8(bytes))) {
      const text = latin.replace(UNASSIGNED, "\uFFFD").replace(LATIN_ARTICLE, "\u0098$1\u009C");
      if (text.includes("\uFFFD")) this.#note("damaged", tag, "");
      return this.#note("Windows-1252", tag, toNormalForm(text, "NFC"));
    }
    const text = this.#marc8.decode(bytes, () => this.#note("damaged", tag, ""));
    if (first === -1 && !isShifted) return text;
    this.#weigh(latin, text, isShifted);
    return this.#note("MARC-8", tag, text);
  }

  #note(encoding: Encoding | "damaged", tag: string, text: string): string {
    const tags = this.#tags.get(encoding) ?? new Set();
    this.#tags.set(encoding, tags.add(tag));
    return text;
  }

  /** Counts what shows that text read as MARC-8 is Windows-1252, or that it is not. */
  #weigh(latin: string, text: string, isShifted: boolean): void {
    const value = latin.slice(1);
    this.#hasMarc8Spelling ||= isShifted || MARC8_SPELLING.test(value);
    this.#either += countOf(value, EITHER);
    this.#latin += countOf(text.replace(LIGATURES, "$1"), MARKS) + countOf(value, LATIN_SPELLING);
  }

  /** Adds warnings about text in another encoding than the leader names, and about damaged text. */
  addWarnings(warnings: ImportWarning[]): void {
    const damaged = this.#tags.get("damaged");
    for (const [encoding, tags] of this.#tags) {
      if (encoding === "damaged" || encoding === this.#declared) continue;
      const isMixed = this.#tags.size > (damaged === undefined ? 1 : 2);
      if (isMixed) addWarning(warnings, "mixed-encoding", [[...tags].join(", "), encoding]);
      else addWarning(warnings, READ_AS[encoding], ["leader", this.#leaderCode]);
    }
    if (damaged !== undefined) addWarning(warnings, "damaged-text", [[...damaged].join(", "), ""]);
  }
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Returns undefined if the bytes are not UTF-8. `first`: index of the first one beyond ASCII. */
function decodeUtf8(bytes: Uint8Array, first: number): string | undefined {
  // Nearly all MARC-8 fails here, at a fraction of the cost of an exception.
  if (((bytes[first + 1] ?? 0) & 0xc0) !== 0x80) return undefined;
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
}
