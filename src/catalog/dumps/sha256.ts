/**
 * State of an incremental SHA-256 (FIPS 180-4). Unlike the platform's digest it is plain data between two parts, so it
 * can be stored and resumed elsewhere.
 */
interface Sha256 {
  readonly words: readonly number[];
  /** Bytes after the last complete block. */
  readonly rest: readonly number[];
  readonly bytes: number;
}

const BLOCK = 64;
const ROUNDS = 64;
const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < ROUNDS; n += 1) if (PRIMES.every((prime) => n % prime !== 0)) PRIMES.push(n);

/** Returns the first 32 bits of the fraction. */
const fractionBits = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const CONSTANTS = Int32Array.from(PRIMES, (prime) => fractionBits(Math.cbrt(prime)));

/** State before the first byte. */
export const SHA256_START: Sha256 = {
  words: PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime))),
  rest: [],
  bytes: 0,
};

export function updateSha256({ words, rest, bytes }: Sha256, more: Uint8Array): Sha256 {
  const all = new Uint8Array(rest.length + more.length);
  all.set(rest);
  all.set(more, rest.length);
  const wholeBytes = all.length - (all.length % BLOCK);
  return {
    words: compress(words, all.subarray(0, wholeBytes)),
    rest: [...all.subarray(wholeBytes)],
    bytes: bytes + more.length,
  };
}

/** Returns the checksum, in hex. */
export function finishSha256({ words, rest, bytes }: Sha256): string {
  // Padding: one set bit, then the length in bits at the end of the block.
  const padded = new Uint8Array(rest.length + 9 > BLOCK ? 2 * BLOCK : BLOCK);
  padded.set([...rest, 0x80]);
  new DataView(padded.buffer).setBigUint64(padded.length - 8, 8n * BigInt(bytes));
  return compress(words, padded)
    .map((word) => (word >>> 0).toString(16).padStart(8, "0"))
    .join("");
}

const rotateRight = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(words: readonly number[], blocks: Uint8Array): number[] {
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength);
  const sums = Int32Array.from(words);
  const schedule = new Int32Array(ROUNDS);
  for (let at = 0; at < blocks.length; at += BLOCK) {
    fillSchedule(schedule, view, at);
    mixRounds(sums, schedule);
  }
  return [...sums];
}

/** Fills the schedule: the words of a block, and the words derived from them for the later rounds. */
function fillSchedule(schedule: Int32Array, blocks: DataView, at: number): void {
  for (let round = 0; round < 16; round += 1) schedule[round] = blocks.getInt32(at + 4 * round);
  for (let round = 16; round < ROUNDS; round += 1) {
    const first = schedule[round - 15] ?? 0;
    const last = schedule[round - 2] ?? 0;
    const sigma0 = rotateRight(first, 7) ^ rotateRight(first, 18) ^ (first >>> 3);
    const sigma1 = rotateRight(last, 17) ^ rotateRight(last, 19) ^ (last >>> 10);
    schedule[round] = (schedule[round - 16] ?? 0) + sigma0 + (schedule[round - 7] ?? 0) + sigma1;
  }
}

/** Runs all rounds. Declaring the variables in one statement is three times as slow. */
function mixRounds(sums: Int32Array, schedule: Int32Array): void {
  const of = (word: number): number => sums[word] ?? 0;
  let a = of(0);
  let b = of(1);
  let c = of(2);
  let d = of(3);
  let e = of(4);
  let f = of(5);
  let g = of(6);
  let h = of(7);
  for (let round = 0; round < ROUNDS; round += 1) {
    const choice = (e & f) ^ (~e & g);
    const sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const first = (h + sum1 + choice + (CONSTANTS[round] ?? 0) + (schedule[round] ?? 0)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sum0 + majority) | 0;
  }
  const words = [a, b, c, d, e, f, g, h];
  for (let word = 0; word < words.length; word += 1) sums[word] = of(word) + (words[word] ?? 0);
}
