import { DEFAULT_PREFIX } from "../keys.ts";
import { type BibKey, parseBibKey } from "./bibkey.ts";

/** Bib keys that one multi-request may hold in all; the caller refuses more. */
export const VOLUME_KEYS_MAX = 1000;

/** One book of a multi-request: the first of its keys that has an edition decides (lookup.md 4.1). */
export interface VolumesRequest {
  /** Name of the book in the answer. */
  readonly label: string;
  readonly keys: readonly BibKey[];
}

const LABEL = /^id:(.*)$/is;

/** Reads `key;key|id:label;key`: books are parted by `|`, the keys of one book by `;` (Q32). */
export function parseVolumesRequest(text: string, prefix = DEFAULT_PREFIX): VolumesRequest[] {
  const requests = text.split("|").map((request) => request.trim());
  return requests.filter((request) => request !== "").map((request) => bookOf(request, prefix));
}

function bookOf(request: string, prefix: string): VolumesRequest {
  const [first = "", ...others] = request.split(";");
  const label = LABEL.exec(first)?.[1];
  const keys = (label === undefined ? [first, ...others] : others).filter((key) => key !== "");
  return { label: label ?? request, keys: keys.map((key) => parseBibKey(key, prefix)) };
}
