import type { InsideHit } from "../../db/search/inside/search.ts";
import type { BlockMap } from "../../search/inside/pages.ts";
import { cutSnippets } from "../../search/inside/snippets.ts";
import { readPages } from "./text-archive.ts";

/** Snippets of a book. */
const SNIPPETS_MAX = 5;

/** A piece of a page with the words that were looked for. */
export interface Snippet {
  /** Number of the page, from 1. */
  readonly page: number;
  readonly text: string;
}

/** Cuts the snippets of a hit out of its text. None when the text has just been replaced or removed. */
export async function snippetsOf(
  archive: R2Bucket,
  { object, blocks, places }: InsideHit,
  phrase: readonly string[],
): Promise<Snippet[]> {
  // Written by this service, from the same type.
  const map = JSON.parse(blocks) as BlockMap;
  const pages = await readPages(archive, object, { map, places });
  const snippets: Snippet[] = [];
  for (const place of places) {
    const left = SNIPPETS_MAX - snippets.length;
    const texts = cutSnippets(pages.get(place) ?? "", phrase, left);
    snippets.push(...texts.map((text) => ({ page: place + 1, text })));
  }
  return snippets;
}
