/** A stream of numbers in [0, 1) that is the same in every run (mulberry32). */
export function randomStream(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of the values. */
export function pick<Value>(random: () => number, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)]!;
}

/** Text of up to `length` pieces out of `alphabet`. */
export function randomText(random: () => number, alphabet: readonly string[], length: number): string {
  return Array.from({ length: Math.floor(random() * (length + 1)) }, () => pick(random, alphabet)).join("");
}

/** Pieces of text that break careless writers: markup, controls, half characters, odd line ends. */
export const HOSTILE = [
  ..."<>&\"'`;:,#%*!|{}[]()?@=~^$\\/-_+. ",
  "a",
  "Z",
  "7",
  "é",
  "日",
  "😀",
  "\ud800",
  "\udfff",
  "\u0000",
  "\u0001",
  "\u001f",
  "\t",
  "\n",
  "\r",
  "\u007f",
  "\u0085",
  "\u00a0",
  "\u2028",
  "\ufeff",
  "\ufffe",
  "\uffff",
  "]]>",
  "<!--",
  "-->",
  "&amp;",
  "&#0;",
  "<?xml?>",
  "no",
  "null",
  "---",
  "...",
  "<<",
  "%YAML",
  "__proto__",
];
