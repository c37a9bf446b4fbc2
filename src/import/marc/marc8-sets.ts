export const EACC_SET = 0x31;
export const ASCII_SET = 0x42;
export const ANSEL_SET = 0x45;
/** Offset added to characters that are combining marks for the character after them. */
export const MARK = 0x1_00_00;

/**
 * Single-byte sets of MARC-8 by their final byte, as published by the Library of Congress. `A2=0672*2` is codes A2 and
 * A3 for U+0672 and U+0673; with `+` they are marks.
 */
const RUNS: Readonly<Record<number, string>> = {
  // Hebrew
  0x32: `
    21=0021 22=05F4 23=0023*4 27=05F3 28=0028*5 2D=05BE 2E=002E*18 40+05B7*2 42+05B6 43+05B5 44+05B4 45+05B9
    46+05BB 47+05B0 48+05B2*2 4A+05B1 4B+05BC 4C+05BF 4D+05C1 4E+FB1E 5B=005B 5D=005D 60=05D0*27 7B=05F0*3
  `,
  // Arabic
  0x33: `
    21=0021*4 25=066A 26=0026*4 2A=066D 2B=002B 2C=060C 2D=002D*3 30=0660*10 3A=003A 3B=061B 3C=003C*3
    3F=061F 41=0621*26 5B=005B 5D=005D 60=0640*11 6B+064B*8 73=0671 74=0670 78=066C 79=201D 7A=201C
  `,
  // Arabic, extended
  0x34: `
    A1=06FD A2=0672*2 A4=0679*14 B2=06BF B3=0687*22 C9=06FA CA=069D*2 CC=06FB CD=069F*2 CF=06FC D0=06A1*24
    E8=06BA*4 EC=06B9 ED=06BE EE=06C0 EF=06C4*3 F2=06CA*2 F4=06CD*2 F6=06D0 F7=06D2*2 FD+0306 FE+030C
  `,
  // ASCII
  0x42: `
    1B=001B 1D=001D*98
  `,
  // ANSEL: Latin, extended
  0x45: `
    88=0098 89=009C 8D=200D 8E=200C A1=0141 A2=00D8 A3=0110 A4=00DE A5=00C6 A6=0152 A7=02B9 A8=00B7 A9=266D
    AA=00AE AB=00B1 AC=01A0 AD=01AF AE=02BC B0=02BB B1=0142 B2=00F8 B3=0111 B4=00FE B5=00E6 B6=0153 B7=02BA
    B8=0131 B9=00A3 BA=00F0 BC=01A1 BD=01B0 C0=00B0 C1=2113 C2=2117 C3=00A9 C4=266F C5=00BF C6=00A1 C7=00DF
    C8=20AC E0+0309 E1+0300*5 E6+0306*3 E9+030C EA+030A EB+FE20*2 ED+0315 EE+030B EF+0310 F0+0327*2
    F2+0323*3 F5+0333 F6+0332 F7+0326 F8+031C F9+032E FA+FE22*2 FE+0313
  `,
  // Cyrillic
  0x4e: `
    21=0021*31 40=044E 41=0430*2 43=0446 44=0434*2 46=0444 47=0433 48=0445 49=0438*8 51=044F 52=0440*4
    56=0436 57=0432 58=044C 59=044B 5A=0437 5B=0448 5C=044D 5D=0449 5E=0447 5F=044A 60=042E 61=0410*2
    63=0426 64=0414*2 66=0424 67=0413 68=0425 69=0418*8 71=042F 72=0420*4 76=0416 77=0412 78=042C 79=042B
    7A=0417 7B=0428 7C=042D 7D=0429 7E=0427
  `,
  // Cyrillic, extended
  0x51: `
    C0=0491 C1=0452*3 C4=0451 C5=0455*8 CD=045E*2 D0=0463 D1=0473 D2=0475 D3=046B DB=005B DD=005D DF=005F
    E0=0490 E1=0402*3 E4=0401 E5=0405*8 ED=040E*2 EF=042A F0=0462 F1=0472 F2=0474 F3=046A
  `,
  // Greek
  0x53: `
    21+0300*2 23+0308 24+0342 25+0313*2 27+0345 30=00AB 31=00BB 32=201C*2 34=0374*2 3B=0387 3F=037E
    41=0391*2 44=0393*3 47=03DA 48=03DC 49=0396*11 54=03DE 55=03A1 56=03A3 58=03A4*6 5E=03E0 61=03B1*2
    63=03D0 64=03B3*3 67=03DB 68=03DD 69=03B6*11 74=03DF 75=03C1 76=03C3 77=03C2 78=03C4*6 7E=03E1
  `,
  // subscripts
  0x62: `
    28=208D*2 2B=208A 2D=208B 30=2080*10
  `,
  // Greek symbols
  0x67: `
    61=03B1*3
  `,
  // superscripts
  0x70: `
    28=207D*2 2B=207A 2D=207B 30=2070 31=00B9 32=00B2*2 34=2074*6
  `,
};

/** Characters by code, 0 for unassigned codes. */
export const MARC8_SETS: ReadonlyMap<number, Uint32Array> = new Map(
  Object.entries(RUNS).map(([set, runs]) => [Number(set), parseRuns(runs)]),
);

function parseRuns(runs: string): Uint32Array {
  const table = new Uint32Array(256);
  for (const run of runs.trim().split(/\s+/)) {
    const [first = "", count = "1"] = run.split("*");
    const code = Number.parseInt(first.slice(0, 2), 16);
    const character = Number.parseInt(first.slice(3), 16) + (first.charAt(2) === "+" ? MARK : 0);
    for (let step = 0; step < Number(count); step += 1) table[code + step] = character + step;
  }
  return table;
}
