import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { CommandError } from "./command.ts";
import { type Target, call } from "./service.ts";

const PAGE_BREAK = "\f";
const unpack = promisify(gunzip);

/** Reads the text of a book: one file with form feeds between pages, or one file per page. */
export async function bookText(files: string[]) {
  const texts = await Promise.all(files.map(fileText));
  // In a file that is one page, a form feed at the end is none between pages.
  return texts.length === 1
    ? (texts[0] ?? "")
    : texts.map((text) => text.replaceAll(PAGE_BREAK, "\n")).join(PAGE_BREAK);
}

async function fileText(file: string) {
  const bytes = await readFile(file);
  const plain = file.endsWith(".gz") ? await unpack(bytes) : bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(plain);
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(`${file} is not UTF-8.`);
    throw error;
  }
}

/** Returns the item of a file name: `prideprejudice00aust` for `prideprejudice00aust_djvu.txt.gz`. */
export function itemOfFile(file: string) {
  return path
    .basename(file)
    .replace(/\.gz$/, "")
    .replace(/\.[^.]*$/, "")
    .replace(/_djvu$/, "");
}

/** Stores the text of a book. Returns its number of pages and title. `metadata` has request parameters. */
export function putText(
  {
    item,
    text,
    metadata,
  }: { item: string; text: string; metadata: Record<string, string | string[] | undefined> },
  target: Target,
): Promise<{ identifier: string; pages: number; title: string | null }> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(metadata)) {
    for (const one of [value].flat()) if (one !== undefined) parameters.append(name, one);
  }
  const query = parameters.size === 0 ? "" : `?${parameters}`;
  const sent = { method: "PUT", body: text, type: "text/plain; charset=utf-8" };
  return call(target, `/system/text/${item}${query}`, sent);
}

export async function deleteText(item: string, target: Target) {
  await call(target, `/system/text/${item}`, { method: "DELETE" });
}
