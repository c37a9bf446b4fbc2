import type { EaccTable } from "./eacc.ts";
import type { FieldText } from "./field-text.ts";
import { withoutMnemonics } from "./marc8-mnemonics.ts";
import { ANSEL_SET, ASCII_SET, EACC_SET, MARC8_SETS, MARK } from "./marc8-sets.ts";
import { normalForm } from "../../catalog/normal-form.ts";

const ESCAPE = 0x1b;
const SPACE = 0x20;
/** Controls, what is not ASCII, and the brace that opens a mnemonic. */
const NOT_PLAIN = /[^ -z|}~]/;
const NO_SET = new Uint32Array(256);

/**
 * Text in MARC-8 (import.md 12.4). Every piece of text begins with ASCII and ANSEL, whatever the one before shifted to (Q303).
 */
export class Marc8Text implements FieldText {
  readonly #eacc: EaccTable | undefined;
  #lacked = false;

  constructor(eacc: EaccTable | undefined) {
    this.#eacc = eacc;
  }

  /** Whether it met East Asian characters without their table: what it read has spaces in their place. */
  get lackedTable(): boolean {
    return this.#lacked;
  }

  isPlain(characters: string): boolean {
    return !NOT_PLAIN.test(characters);
  }

  decode(bytes: Uint8Array): string {
    const piece = new Marc8Piece(withoutMnemonics(bytes), this.#eacc);
    const text = piece.read();
    this.#lacked ||= piece.lackedTable;
    return normalForm(text, "NFC");
  }
}

/** One piece: its sets, and the marks that wait for their character. */
class Marc8Piece {
  readonly #bytes: Uint8Array;
  readonly #eacc: EaccTable | undefined;
  #at = 0;
  #g0 = ASCII_SET;
  #g1 = ANSEL_SET;
  #text = "";
  #marks = "";
  lackedTable = false;

  constructor(bytes: Uint8Array, eacc: EaccTable | undefined) {
    this.#bytes = bytes;
    this.#eacc = eacc;
  }

  read(): string {
    while (this.#at < this.#bytes.length) {
      if (this.#byte(0) === ESCAPE) this.#shift();
      else if (this.#g0 === EACC_SET) this.#eastAsian();
      else this.#single(this.#byte(0));
    }
    return this.#text;
  }

  #byte(ahead: number): number {
    return this.#bytes[this.#at + ahead] ?? 0;
  }

  #single(code: number): void {
    this.#at += 1;
    if (isControl(code)) return;
    const set = MARC8_SETS.get(code > 0x80 ? this.#g1 : this.#g0) ?? NO_SET;
    const found = set[code] ?? 0;
    // What no table knows is a space.
    this.#emit(found === 0 ? SPACE : found);
  }

  #eastAsian(): void {
    if (this.#at + 3 > this.#bytes.length) {
      this.#at = this.#bytes.length;
      this.#emit(SPACE);
      return;
    }
    const found = this.#eacc?.character(this.#byte(0), this.#byte(1), this.#byte(2)) ?? 0;
    this.lackedTable ||= this.#eacc === undefined;
    this.#at += 3;
    this.#emit(found === 0 ? SPACE : found);
  }

  /** Marks stand before their character in MARC-8 and after it in Unicode. */
  #emit(character: number): void {
    if (character >= MARK) this.#marks += String.fromCharCode(character - MARK);
    else {
      this.#text += String.fromCharCode(character) + this.#marks;
      this.#marks = "";
    }
  }

  #shift(): void {
    const code = this.#byte(1);
    if (code === 0x24) this.#shiftMultibyte();
    else if (code === 0x28 || code === 0x2c) this.#g0 = this.#final(2) ?? this.#g0;
    else if (code === 0x29 || code === 0x2d) this.#g1 = this.#final(2) ?? this.#g1;
    else if (code === 0x73) this.#shiftTo(ASCII_SET);
    else if (code === EACC_SET || MARC8_SETS.has(code)) this.#shiftTo(code);
    else this.#at += 1;
  }

  #shiftTo(set: number): void {
    this.#g0 = set;
    this.#at += 2;
  }

  #shiftMultibyte(): void {
    const code = this.#byte(2);
    if (code === 0x29 || code === 0x2d) this.#g1 = this.#final(3) ?? this.#g1;
    else this.#g0 = this.#final(code === 0x2c ? 3 : 2) ?? this.#g0;
  }

  /** The final byte of a shift, which is passed; of one that is cut off the escape alone is passed. */
  #final(ahead: number): number | undefined {
    const final = this.#bytes[this.#at + ahead];
    this.#at += final === undefined ? 1 : ahead + 1;
    return final;
  }
}

function isControl(code: number): boolean {
  return code < 0x20 || (code > 0x80 && code < 0xa0);
}
