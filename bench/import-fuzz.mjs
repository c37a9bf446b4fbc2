// Records that try to break the import: `npm run bench -- import-fuzz [--count N] [--seed N]`.
import { ImportFailure } from "../src/import/failure.ts";
import { readMarc } from "../src/import/marc/binary.ts";
import { editionOfMarc } from "../src/import/marc/edition.ts";
import { MarcError } from "../src/import/marc/record.ts";
import { splitMarcRecords } from "../src/import/marc/stream.ts";
import { readMarcXml } from "../src/import/marc/xml.ts";
import { splitMarcXmlRecords } from "../src/import/marc/xml-stream.ts";
import { parseImport } from "../src/import/parse.ts";
import { XmlError, decodeXml } from "../src/import/xml/decode.ts";
import { parseXml } from "../src/import/xml/document.ts";
import { extremeDocuments, extremeRecords } from "./lib/import-extremes.mjs";
import { below, damagedMarc, damagedXml, pick, soundInputs } from "./lib/import-inputs.mjs";
import { randomFrom } from "./lib/random.mjs";

/** @import { Random } from "./lib/import-inputs.mjs" */

/** Failures that are printed in full, and slow inputs that are listed. */
const SHOWN = 10;
/** An input that took longer is read again: the first time the compiler or the collector may have been at work. */
const AGAIN_MS = 2;
const AGAIN_TIMES = 4;
/** One in so many inputs also goes through the readers of files, in chunks. */
const STREAMED = 20;

/** @typedef {(bytes: Uint8Array) => Promise<void>} Reader */

/**
 * Damages sound records, reads what comes of it, and counts: any error but those that are documented is a failure.
 * @param {{ count: number, seed: number }} options `count` binary inputs and as many of XML
 */
export async function benchImportFuzz({ count, seed }) {
  const { marc, xml } = soundInputs();
  const all = [...marc, ...xml];
  const random = randomFrom(seed);
  console.log(`${marc.length} sound records and ${xml.length} documents to begin with`);
  const failed = [
    await fuzz({
      name: "MARC",
      count,
      random,
      sound: marc,
      readers: MARC_READERS,
      damaged: (one) => damagedMarc(one, { random, all }),
    }),
    await fuzz({
      name: "XML",
      count,
      random,
      sound: xml,
      readers: XML_READERS,
      damaged: (one) => damagedXml(one, { random, all }),
    }),
    await extremes(extremeRecords(), MARC_READERS),
    await extremes(extremeDocuments(), XML_READERS),
  ];
  if (failed.some((number) => number > 0)) process.exitCode = 1;
}

const SOURCE = [{ name: "source_record", value: "test:1" }];
/** @type {Record<string, Reader>} */
const MARC_READERS = {
  edition: async (bytes) => void editionOfMarc(await readMarc(bytes)),
  fields: async (bytes) => void touch(await readMarc(bytes)),
  import: async (bytes) => void (await parseImport(bytes, SOURCE)),
};
/** @type {Record<string, Reader>} */
const XML_READERS = {
  tree: async (bytes) => void parseXml(decodeXml(bytes)),
  edition: async (bytes) => void editionOfMarc(readMarcXml(decodeXml(bytes))),
  import: async (bytes) => void (await parseImport(bytes, SOURCE)),
};

/** @param {Awaited<ReturnType<typeof readMarc>>} record */
function touch({ fields }) {
  return fields.reduce((sum, field) => sum + ("value" in field ? field.value : field.subfields).length, 0);
}

/**
 * @typedef {object} Fuzz
 * @property {string} name
 * @property {number} count
 * @property {Random} random
 * @property {readonly Uint8Array[]} sound
 * @property {Record<string, Reader>} readers
 * @property {(sound: Uint8Array) => Uint8Array} damaged
 */

/** @param {Fuzz} fuzz */
async function fuzz({ name, count, random, sound, readers, damaged }) {
  const tally = new Tally();
  const started = performance.now();
  for (let number = 0; number < count; number += 1) {
    const input = damaged(pick(random, sound));
    await tally.run(`${name} ${number}`, input, readers);
    if (number % STREAMED === 0)
      await tally.guarded(`${name} ${number} in chunks`, () => streamed(input, sound, random));
  }
  const seconds = (performance.now() - started) / 1000;
  console.log(`\n${count} damaged inputs of ${name} in ${seconds.toFixed(0)} s`);
  tally.print();
  return tally.failures;
}

/** @param {[string, Uint8Array][]} inputs @param {Record<string, Reader>} readers */
async function extremes(inputs, readers) {
  const tally = new Tally();
  for (const [name, bytes] of inputs) await tally.run(`${name}, ${bytes.length} bytes`, bytes, readers);
  console.log(`\n${inputs.length} inputs of the greatest size`);
  tally.print();
  return tally.failures;
}

/**
 * A file of a sound record, the damaged one and sound ones again: pieces lie one behind the other, and the last sound
 * record comes out whole.
 * @param {Uint8Array} input @param {readonly Uint8Array[]} sound @param {Random} random
 */
async function streamed(input, sound, random) {
  const end = sound[0] ?? new Uint8Array();
  const isXml = end[0] === 0x3c;
  const file = Buffer.concat([end, input, end, end]);
  const chunks = async function* () {
    for (let at = 0; at < file.length;) {
      const size = 1 + below(random, 3000);
      yield new Uint8Array(file.subarray(at, at + size));
      at += size;
    }
  };
  let next = 0;
  /** @type {Uint8Array} */
  let last = new Uint8Array();
  for await (const { offset, length, bytes } of (isXml ? splitMarcXmlRecords : splitMarcRecords)(chunks())) {
    if (offset < next) throw new Error(`a piece at ${offset} after ${next}`);
    [next, last] = [offset + length, bytes];
  }
  const whole = isXml ? Buffer.from(last).toString().includes("</record>") : Buffer.compare(last, end) === 0;
  if (!whole) throw new Error("the last record of the file is not whole");
}

/** Milliseconds that this thread has worked. The clock would count what other programs do on a busy machine. */
function busyMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

class Tally {
  failures = 0;
  /** @type {Map<string, number>} */
  #outcomes = new Map();
  /** @type {{ what: string, ms: number }[]} */
  #slowest = [];
  /** Milliseconds of the slowest first read, work of the compiler and the collector included. */
  #longest = 0;

  /** @param {string} what @param {Uint8Array} bytes @param {Record<string, Reader>} readers */
  async run(what, bytes, readers) {
    for (const [name, read] of Object.entries(readers)) {
      let ms = await this.#timed(what, () => read(bytes), name);
      this.#longest = Math.max(this.#longest, ms);
      for (let again = 0; again < AGAIN_TIMES && ms > AGAIN_MS; again += 1) {
        ms = Math.min(ms, await this.#timed(what, () => read(bytes), undefined));
      }
      this.#keep({ what: `${what} (${name})`, ms });
    }
  }

  /** @param {string} what @param {() => Promise<void>} action */
  async guarded(what, action) {
    await this.#timed(what, action, "chunks");
  }

  /** @param {string} what @param {() => Promise<void>} action @param {string | undefined} name undefined: not counted */
  async #timed(what, action, name) {
    const started = busyMs();
    let outcome = "read";
    try {
      await action();
    } catch (error) {
      outcome = this.#outcomeOf(error, what, name !== undefined);
    }
    const ms = busyMs() - started;
    if (name !== undefined)
      this.#outcomes.set(`${name}: ${outcome}`, (this.#outcomes.get(`${name}: ${outcome}`) ?? 0) + 1);
    return ms;
  }

  /** @param {unknown} error @param {string} what @param {boolean} counts */
  #outcomeOf(error, what, counts) {
    if (error instanceof MarcError) return error.problem;
    if (error instanceof XmlError) return "XmlError";
    if (error instanceof ImportFailure) return error.code;
    if (counts) {
      this.failures += 1;
      if (this.failures <= SHOWN) console.log(`${what}: ${error instanceof Error ? error.stack : error}`);
    }
    return "FAILURE";
  }

  /** @param {{ what: string, ms: number }} one */
  #keep(one) {
    const { ms } = one;
    if (this.#slowest.length === SHOWN && ms <= (this.#slowest.at(-1)?.ms ?? 0)) return;
    this.#slowest = [...this.#slowest, one].toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN);
  }

  print() {
    const outcomes = [...this.#outcomes].toSorted(([a], [b]) => a.localeCompare(b));
    console.log(outcomes.map(([outcome, number]) => `${outcome} ${number}`).join(", "));
    console.log(
      `${this.failures} undocumented errors; slowest first read ${this.#longest.toFixed(1)} ms; read again:`,
    );
    for (const { what, ms } of this.#slowest) console.log(`  ${ms.toFixed(1)} ms  ${what}`);
  }
}
