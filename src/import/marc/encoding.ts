import { toNormalForm } from "../../catalog/matching/match-keys.ts";
import { type ImportWarning, addWarning } from "../warning.ts";
import type { EaccTable } from "./eacc.ts";
import { Marc8Text, isMarc8 } from "./marc8.ts";
import { MarcError } from "./record.ts";

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ESCAPE = 0x1b;
/** Anything but ASCII, and the escape that changes the character set in MARC-8. */
// oxlint-disable-next-line no-control-regex -- all of ASCII but one
const NOT_PLAIN_UTF8 = /[^\0-\u001A\u001C-\u007F]/;

/**
 * Decoder of the text of one record. The bytes of each subfield decide between UTF-8 and MARC-8; the code in the leader
 * only counts for bytes that could be either (Q700).
 */
export class RecordText {
  readonly #leaderCode: string;
  readonly #isMarc8: boolean;
  readonly #marc8: Marc8Text;
  /** True if text beyond ASCII was read in the encoding that the leader names. */
  #hasDeclared = false;
  /** Tags of the fields with text in the other encoding. */
  readonly #otherTags = new Set<string>();

  /** `leaderCode`: position 9 of the leader, a space for MARC-8. */
  constructor(leaderCode: string, eacc: EaccTable | undefined) {
    this.#leaderCode = leaderCode;
    this.#isMarc8 = leaderCode === " ";
    this.#marc8 = new Marc8Text(eacc);
  }

  /** True if East Asian characters were decoded as spaces because their table was missing. */
  get lacksTable(): boolean {
    return this.#marc8.lacksTable;
  }

  /** Returns true if text whose bytes are these characters needs no decoding. */
  isPlain(characters: string): boolean {
    return this.#isMarc8 ? this.#marc8.isPlain(characters) : !NOT_PLAIN_UTF8.test(characters);
  }

  /** Decodes bytes of a field to text in NFC. Throws MarcError. */
  decode(bytes: Uint8Array, tag: string): string {
    const first = bytes.findIndex((byte) => byte > 0x7f);
    const isBeyondAscii = first !== -1;
    const isShifted = !isBeyondAscii || (this.#isMarc8 && bytes.includes(ESCAPE));
    const utf8 = isShifted ? undefined : decodeUtf8(bytes, first);
    if (utf8 === undefined && !this.#isMarc8 && !isMarc8(bytes)) {
      throw new MarcError("bad-marc", "the text is not UTF-8");
    }
    if ((utf8 === undefined) === this.#isMarc8) this.#hasDeclared ||= isBeyondAscii;
    else this.#otherTags.add(tag);
    return utf8 ?? this.#marc8.decode(bytes);
  }

  /** Adds a warning if any text is not in the encoding that the leader names. */
  addWarnings(warnings: ImportWarning[]): void {
    if (this.#otherTags.size === 0) return;
    const tags = [...this.#otherTags].join(", ");
    if (this.#hasDeclared) addWarning(warnings, "mixed-encoding", [tags, this.#isMarc8 ? "UTF-8" : "MARC-8"]);
    else
      addWarning(warnings, this.#isMarc8 ? "read-as-utf-8" : "read-as-marc-8", ["leader", this.#leaderCode]);
  }
}

/** Returns undefined if the bytes are not UTF-8. `first`: index of the first one beyond ASCII. */
function decodeUtf8(bytes: Uint8Array, first: number): string | undefined {
  // Nearly all MARC-8 fails here, at a fraction of the cost of an exception.
  if (((bytes[first + 1] ?? 0) & 0xc0) !== 0x80) return undefined;
  try {
    return toNormalForm(STRICT.decode(bytes), "NFC");
  } catch {
    return undefined;
  }
}
