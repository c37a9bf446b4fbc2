import { toNormalForm } from "../../catalog/matching/match-keys.ts";
import type { EaccTable } from "./eacc.ts";
import { ANSEL_SET, ASCII_SET, EACC_SET, MARC8_SETS, MARK } from "./marc8-sets.ts";

/**
 * Mnemonics of characters that some systems write in braces, with the MARC-8 bytes that they stand for: a list of the
 * Library of Congress. In addition, two hexadecimal digits stand for a byte, and a single letter or digit for itself.
 */
const NAMES = `
AElig=A5 Aacute=E241 Abreve=E641 Acirc=E341 Acy=41 Agrave=E141 Aogon=F141 Aring=EA41 Atilde=E441 Auml=E841
Bcy=42 CHcy=4368 Cacute=E243 Ccaron=E943 Ccedil=F043 DJEcy=A3 DZEcy=447A DZHEcy=44E97A Dagger=7C Dcaron=E944
Dcy=44 Dstrok=A3 ETH=A3 Eacute=E245 Ecaron=E945 Ecirc=E345 Ecy=E745 Egrave=E145 Ehookr=F145 Eogon=F145
Euml=E845 Fcy=46 GEcy=47 GHcy=47 GJEcy=E247 Gcy=47 HARDcy=B7 Hcy=48 IEcy=EB49EC45 IJlig=494A IOcy=EB49EC4F
IYcy=59 Iacute=E249 Icaron=E949 Icirc=E349 Icy=49 Idot=E749 Igrave=E149 Iuml=E849 Iumlcy=E849 JEcy=4A
JIcy=E849 Jcy=E649 KHcy=4B68 KJEcy=E24B Kcy=4B LJEcy=4C6A Lacute=E24C Lcy=4C Lstrok=A1 Mcy=4D NJEcy=4E6A
Nacute=E24E Ncaron=E94E Ncy=4E No=4E6F2E Ntilde=B44E OElig=A6 Oacute=E24F Ocirc=E34F Ocy=4F Odblac=EE4F
Ograve=E14F Ohorn=AC Ostrok=A2 Otilde=E44F Ouml=E84F Pcy=50 Racute=E252 Rcaron=E952 Rcy=52 SHCHcy=53686368
SHcy=5368 SOFTcy=A7 Sacute=E253 Scommab=F753 Scy=53 THORN=A4 TSHEcy=E243 TScy=EB54EC53 Tcaron=E954
Tcommab=F754 Tcy=54 Uacute=E255 Ubrevecy=E655 Ucirc=E355 Ucy=55 Udblac=EE55 Ugrave=E155 Uhorn=AD Uring=EA55
Uuml=E855 Vcy=56 YAcy=EB49EC41 YEcy=45 YIcy=49 YUcy=EB49EC55 Yacute=E259 Ycy=59 ZHcy=5A68 ZHuacy=EB5AEC68
Zacute=E25A Zcy=5A Zdot=E75A aacute=E261 abreve=E661 acirc=E361 acute=E2 acy=61 aelig=B5 agr=62 agrave=E161
alif=AE amp=26 aogon=F161 apos=27 arab=2833 aring=EA61 ast=2A asuper=61 atilde=E461 auml=E861 ayn=B0 bcy=62
bgr=63 breve=E6 breveb=F9 brvbar=7C bsol=5C bull=2A cacute=E263 candra=EF caron=E9 ccaron=E963 ccedil=F063
cedil=F0 cent=63 chcy=6368 circ=E3 circb=F4 cjk=2431 colon=3A comma=2C commaa=FE commab=F7 commat=40 copy=C3
curren=2A cyril=284E dagger=7C dblac=EE dbldotb=F3 dblunder=F5 dcaron=E964 dcy=64 deg=C0 diaer=E8 divide=2F
djecy=B3 dollar=24 dot=E7 dotb=F2 dstrok=B3 dzecy=647A dzhecy=64E97A ea=EA eacute=E265 ecaron=E965
ecirc=E365 ecy=E765 egrave=E165 ehookr=F165 eogon=F165 equals=3D esc=1B eth=BA euml=E865 excl=21 fcy=66
flat=A9 fnof=66 frac12=312F32 frac14=312F34 frac34=332F34 gcy=67 gecy=67 ggr=67 ghcy=67 gjecy=E267 grave=E1
greek=67 gs=1D gt=3E hardcy=B7 hardsign=B7 hcy=68 hebrew=2832 hellip=2E2E2E hooka=E0 hookl=F7 hookr=F1
hyphen=2D iacute=E269 icaron=E969 icirc=E369 icy=69 iecy=EB69EC65 iexcl=C6 igrave=E169 ijlig=696A inodot=B8
iocy=EB69EC6F iquest=C5 iuml=E869 iumlcy=E869 iycy=79 jcy=E669 jecy=6A jicy=E869 joiner=8D kcy=6B khcy=6B68
kjecy=E26B lacute=E26C laquo=22 latin=2842 lcub=7B lcy=6C ldbltil=FA ldquo=22 ljecy=6C6A llig=EB lpar=28
lsqb=5B lsquo=27 lsquor=27 lstrok=B1 lt=3C macr=E5 mcy=6D mdash=2D2D middot=A8 mlPrime=B7 mllhring=B0
mlprime=A7 mlrhring=AE nacute=E26E ncaron=E96E ncy=6E ndash=2D2D njecy=6E6A nonjoin=8E ntilde=B46E num=23
oacute=E26F ocirc=E36F ocy=6F odblac=EE6F oelig=B6 ogon=F1 ograve=E16F ohorn=BC ordf=61 ordm=6F ostrok=B2
osuper=6F otilde=E46F ouml=E86F para=7C pcy=70 percnt=25 period=2E phono=C2 pipe=7C plus=2B plusmn=AB
pound=B9 quest=3F quot=22 racute=E272 raquo=22 rcaron=E972 rcedil=F8 rcommaa=ED rcub=7D rcy=72 rdbltil=FB
rdquofh=22 rdquor=22 reg=AA ring=EA ringb=F4 rlig=EC rpar=29 rs=1E rsqb=5D rsquo=27 rsquor=27 sacute=E273
scommab=F773 scriptl=C1 scy=73 sect=7C semi=3B sharp=C4 shchcy=73686368 shcy=7368 shy=2D softcy=A7
softsign=A7 sol=2F space=20 spcirc=5E spgrave=60 sptilde=7E spundscr=5F squf=7C sub=62 sup1=1B70311B73
sup2=1B70321B73 sup3=1B70331B73 super=70 szlig=7373 tcaron=E974 tcommab=F774 tcy=74 thorn=B4 tilde=E4
times=78 trade=28546D29 tscy=EB74EC73 tshecy=E263 uacute=E275 ubrevecy=E675 ucirc=E375 ucy=75 udblac=EE75
ugrave=E175 uhorn=BD uml=E8 under=F6 uring=EA75 us=1F uuml=E875 vcy=76 verbar=7C vlineb=F2 yacute=E279
yacy=EB69EC61 ycy=79 yecy=65 yen=59 yicy=69 yucy=EB69EC75 zacute=E27A zcy=7A zdot=E77A zhcy=7A68
zhuacy=EB7AEC68
`;
const BYTES = new Map(
  NAMES.trim()
    .split(/\s+/)
    .map((entry) => {
      const [name = "", hex = ""] = entry.split("=");
      return [name, bytesOf(hex)];
    }),
);
const BYTE = /^[0-9A-F]{2}$/;
const ITSELF = /^[0-9A-Za-z]$/;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** Maximum length of a mnemonic in characters. Longer names are not looked up. */
const MNEMONIC_LENGTH_MAX = 8;

export function withoutMnemonics(bytes: Uint8Array): Uint8Array {
  let open = bytes.indexOf(OPEN);
  if (open === -1) return bytes;
  const result: number[] = [];
  let taken = 0;
  while (open !== -1) {
    // A name has at least one character, so it can be a brace.
    const close = bytes.indexOf(CLOSE, open + 2);
    if (close === -1) break;
    const known =
      close - open - 1 <= MNEMONIC_LENGTH_MAX ? bytesOfMnemonic(bytes.subarray(open + 1, close)) : undefined;
    for (let at = taken; at < (known === undefined ? close + 1 : open); at += 1) result.push(bytes[at] ?? 0);
    if (known !== undefined) result.push(...known);
    taken = close + 1;
    open = bytes.indexOf(OPEN, taken);
  }
  for (let at = taken; at < bytes.length; at += 1) result.push(bytes[at] ?? 0);
  return Uint8Array.from(result);
}

function bytesOfMnemonic(name: Uint8Array): readonly number[] | undefined {
  const text = String.fromCharCode(...name);
  if (BYTE.test(text)) return [Number.parseInt(text, 16)];
  if (ITSELF.test(text)) return [...name];
  return BYTES.get(text);
}

function bytesOf(hex: string): number[] {
  return (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
}

const ESCAPE = 0x1b;
const SPACE = 0x20;
/** Control characters, non-ASCII characters, and the brace that opens a mnemonic. */
const NOT_PLAIN = /[^ -z|}~]/;
const NO_SET = new Uint32Array(256);

/** Decoder of MARC-8. Every piece of text starts with ASCII and ANSEL (Q303). */
export class Marc8Text {
  readonly #eacc: EaccTable | undefined;
  #lacksTable = false;

  constructor(eacc: EaccTable | undefined) {
    this.#eacc = eacc;
  }

  /** True if East Asian characters were decoded as spaces because their table was missing. */
  get lacksTable(): boolean {
    return this.#lacksTable;
  }

  isPlain(characters: string): boolean {
    return !NOT_PLAIN.test(characters);
  }

  /** Decodes bytes to text in NFC. Calls `onDamage` if some of them are no character. */
  decode(bytes: Uint8Array, onDamage?: () => void): string {
    const piece = new Marc8Piece(withoutMnemonics(bytes), this.#eacc);
    const text = piece.read();
    this.#lacksTable ||= piece.lacksTable;
    if (piece.isDamaged) onDamage?.();
    return toNormalForm(text, "NFC");
  }
}

/** State for one piece of text: its sets, and the marks waiting for their character. */
class Marc8Piece {
  readonly #bytes: Uint8Array;
  readonly #eacc: EaccTable | undefined;
  #at = 0;
  #g0 = ASCII_SET;
  #g1 = ANSEL_SET;
  #text = "";
  #marks = "";
  lacksTable = false;
  isDamaged = false;

  constructor(bytes: Uint8Array, eacc: EaccTable | undefined) {
    this.#bytes = bytes;
    this.#eacc = eacc;
  }

  read(): string {
    while (this.#at < this.#bytes.length) {
      if (this.#byteAt(0) === ESCAPE) this.#shift();
      else if (this.#g0 === EACC_SET) this.#readEastAsian();
      else this.#readSingle(this.#byteAt(0));
    }
    this.isDamaged ||= this.#marks !== "";
    return this.#text;
  }

  #byteAt(ahead: number): number {
    return this.#bytes[this.#at + ahead] ?? 0;
  }

  #readSingle(code: number): void {
    this.#at += 1;
    if (isControl(code)) return;
    const set = MARC8_SETS.get(code > 0x80 ? this.#g1 : this.#g0) ?? NO_SET;
    const character = set[code] ?? 0;
    this.#emitOrSpace(character);
  }

  #readEastAsian(): void {
    if (this.#at + 3 > this.#bytes.length) {
      this.#at = this.#bytes.length;
      this.#emitOrSpace(0);
      return;
    }
    const character = this.#eacc?.character(this.#byteAt(0), this.#byteAt(1), this.#byteAt(2)) ?? 0;
    this.lacksTable ||= this.#eacc === undefined;
    this.#at += 3;
    this.#emitOrSpace(character);
  }

  /** Appends a character, or a space for a code without one. */
  #emitOrSpace(character: number): void {
    this.isDamaged ||= character === 0;
    this.#emit(character === 0 ? SPACE : character);
  }

  /** Appends a character. Marks come before their character in MARC-8 and after it in Unicode. */
  #emit(character: number): void {
    if (character >= MARK) this.#marks += String.fromCharCode(character - MARK);
    else {
      this.#text += String.fromCharCode(character) + this.#marks;
      this.#marks = "";
    }
  }

  #shift(): void {
    const code = this.#byteAt(1);
    if (code === 0x24) this.#shiftMultibyte();
    else if (code === 0x28 || code === 0x2c) this.#g0 = this.#takeFinal(2) ?? this.#g0;
    else if (code === 0x29 || code === 0x2d) this.#g1 = this.#takeFinal(2) ?? this.#g1;
    else if (code === 0x73) this.#shiftTo(ASCII_SET);
    else if (code === EACC_SET || MARC8_SETS.has(code)) this.#shiftTo(code);
    else this.#at += 1;
  }

  #shiftTo(set: number): void {
    this.#g0 = set;
    this.#at += 2;
  }

  #shiftMultibyte(): void {
    const code = this.#byteAt(2);
    if (code === 0x29 || code === 0x2d) this.#g1 = this.#takeFinal(3) ?? this.#g1;
    else this.#g0 = this.#takeFinal(code === 0x2c ? 3 : 2) ?? this.#g0;
  }

  /** Returns the final byte of a shift and moves past it. Of a truncated shift only the escape is skipped. */
  #takeFinal(ahead: number): number | undefined {
    const final = this.#bytes[this.#at + ahead];
    this.#at += final === undefined ? 1 : ahead + 1;
    return final;
  }
}

/**
 * Returns true if bytes beyond ASCII can be MARC-8: they change the character set, or each is a character of ANSEL, and no
 * mark stands at the end or before a space, as the letters of Latin-1 often do.
 */
export function isMarc8(bytes: Uint8Array): boolean {
  const ansel = MARC8_SETS.get(ANSEL_SET) ?? NO_SET;
  return (
    bytes.includes(ESCAPE) ||
    bytes.every((byte, at) => {
      const character = ansel[byte] ?? 0;
      return byte < 0x80 || (character !== 0 && (character < MARK || (bytes[at + 1] ?? SPACE) > SPACE));
    })
  );
}

/** Returns true for control codes, except those around text that sorting skips. */
function isControl(code: number): boolean {
  return code < 0x20 || (code > 0x80 && code < 0xa0 && code !== 0x88 && code !== 0x89);
}
