import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { CommandError } from "./command.mjs";

const PAGE_BREAK = "\f";
const unpack = promisify(gunzip);

/**
 * The text of a book: one file with form feeds between its pages, or one file a page in the order given.
 * @param {string[]} files
 */
export async function bookText(files) {
  const texts = await Promise.all(files.map(fileText));
  // In a file that is one page, a form feed at the end is none between pages.
  return texts.length === 1
    ? (texts[0] ?? "")
    : texts.map((text) => text.replaceAll(PAGE_BREAK, "\n")).join(PAGE_BREAK);
}

/** @param {string} file */
async function fileText(file) {
  const bytes = await readFile(file);
  const plain = file.endsWith(".gz") ? await unpack(bytes) : bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(`${file} is not UTF-8.`);
    throw error;
  }
}

/**
 * The item that a file is named after: `prideprejudice00aust_djvu.txt.gz` is of `prideprejudice00aust`.
 * @param {string} file
 */
export function itemOfFile(file) {
  return path
    .basename(file)
    .replace(/\.gz$/, "")
    .replace(/\.[^.]*$/, "")
    .replace(/_djvu$/, "");
}
