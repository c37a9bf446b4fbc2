import { type AnswerCache, readCachedAnswer, writeCache } from "../http/kv-cache.ts";
import { isFileName, isItemId } from "../../catalog/lending/holdings.ts";
import {
  type ByteRange,
  type ItemSource,
  ITEM_FILE_BYTES,
  ITEM_METADATA_BYTES,
  ItemsFailure,
  readItem,
  readCachedItem,
} from "./item.ts";
import { type OutboundResponse, type OutboundRequest, OutboundFailure, getBytes } from "./outbound.ts";

const ITEM_METADATA_TIMEOUT_MS = 3000;
const ITEM_FILE_TIMEOUT_MS = 10_000;
const ITEM_FILE_HURRY_MS = 3000;
const ITEM_METADATA_SECONDS = 300;
const ITEM_FILE_ATTEMPTS = 3;
const ITEM_FILE_PAUSE_MS = 2000;

/** Statuses that a retry does not change. */
const FINAL: ReadonlySet<number> = new Set([403, 404, 416]);
const KEPT_LENGTH = 1_000_000;

export interface HttpItemsOptions {
  readonly url: string;
  readonly coverHosts: readonly string[];
  readonly cache: AnswerCache;
  /** True while a client waits for a page: files are fetched once, with a short timeout. */
  readonly inHurry: boolean;
  wait(milliseconds: number): Promise<void>;
}

/** Creates a source for an archive's `/metadata/<id>`, `/download/<id>/<file>` and `/services/img/<id>`. */
export function httpItems(options: HttpItemsOptions): ItemSource {
  const base = new URL(`${options.url.replace(/\/$/, "")}/`);
  const timeoutMs = options.inHurry ? ITEM_FILE_HURRY_MS : ITEM_FILE_TIMEOUT_MS;
  const file = (id: string, name: string, request: Pick<OutboundRequest, "maxBytes" | "cut" | "headers">) =>
    fetchFile(fileUrl(base, id, name), { ...request, ...hostsOf(base), timeoutMs }, options);
  return {
    metadata: (id) => readMetadata(id, base, options),
    file: (id, name) => file(id, name, { maxBytes: ITEM_FILE_BYTES }),
    async range(id, name, part) {
      return file(id, name, { maxBytes: part.length, cut: true, headers: { Range: rangeOf(part) } });
    },
    cover: (id) => findCover(id, base, options),
  };
}

async function readMetadata(id: string, base: URL, { cache }: HttpItemsOptions) {
  if (!isItemId(id)) return undefined;
  const name = `item:v1:${base.host}:${id}`;
  const cached = await readCachedAnswer(cache, name);
  const cachedItem = cached === null ? undefined : readCachedItem(cached);
  if (cachedItem !== undefined) return cachedItem;
  const bounds = { timeoutMs: ITEM_METADATA_TIMEOUT_MS, maxBytes: ITEM_METADATA_BYTES };
  const answer = await fetchAnswer(new URL(`metadata/${encodeURIComponent(id)}`, base), {
    ...hostsOf(base),
    ...bounds,
  });
  if (answer instanceof ItemsFailure) throw answer;
  const { status, bytes } = answer;
  if (FINAL.has(status)) return undefined;
  if (status !== 200) throw new ItemsFailure("archive.status", { status });
  const item = readItem(bytes, id);
  const text = JSON.stringify(item ?? null);
  if (item !== undefined && text.length <= KEPT_LENGTH) {
    await writeCache(cache, name, { entry: { text, seconds: ITEM_METADATA_SECONDS } });
  }
  return item;
}

async function fetchFile(
  url: URL | undefined,
  request: OutboundRequest,
  { wait, inHurry }: HttpItemsOptions,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (url === undefined) return undefined;
  const attempts = inHurry ? 1 : ITEM_FILE_ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetchAnswer(url, request);
    if (!(answer instanceof ItemsFailure)) {
      if (FINAL.has(answer.status)) return undefined;
      if (answer.status === 200 || (answer.status === 206 && request.headers !== undefined)) {
        return usableBytes(answer, request);
      }
    }
    if (attempt === attempts) {
      throw answer instanceof ItemsFailure
        ? answer
        : new ItemsFailure("archive.status", { status: answer.status });
    }
    await wait(ITEM_FILE_PAUSE_MS);
  }
}

/**
 * Returns the usable bytes of an answer. An archive without range support sends the whole file, of which only the
 * beginning is usable. Throws `ItemsFailure` for any other part.
 */
function usableBytes({ status, bytes }: OutboundResponse, request: OutboundRequest): Uint8Array<ArrayBuffer> {
  const range = request.headers?.["Range"];
  if (status === 206 || range === undefined || range.startsWith("bytes=0-")) return bytes;
  throw new ItemsFailure("archive.ranges");
}

async function findCover(id: string, base: URL, { coverHosts }: HttpItemsOptions) {
  if (!isItemId(id) || !coverHosts.includes(base.hostname)) return undefined;
  const item = encodeURIComponent(id);
  const rendered = new URL(`services/img/${item}/full/pct:600/0/default.jpg`, base);
  if (!(await isMissing(rendered))) return rendered.href;
  const title = new URL(`download/${item}/page/title.jpg`, base);
  if (!(await isMissing(title))) return title.href;
  return new URL(`download/${item}/page/cover.jpg`, base).href;
}

/** Allows hosts below the archive's: an archive sends its files from those machines. */
function hostsOf({ host }: URL): Pick<OutboundRequest, "hosts" | "subdomains"> {
  return { hosts: [host], subdomains: true };
}

/** Returns true only for a 404: an archive that does not answer now may do so when the image is fetched. */
async function isMissing(url: URL): Promise<boolean> {
  const request = {
    ...hostsOf(url),
    timeoutMs: ITEM_METADATA_TIMEOUT_MS,
    maxBytes: 0,
    method: "HEAD",
  } as const;
  const answer = await fetchAnswer(url, request);
  return !(answer instanceof ItemsFailure) && answer.status === 404;
}

async function fetchAnswer(url: URL, request: OutboundRequest): Promise<OutboundResponse | ItemsFailure> {
  try {
    return await getBytes(url, request);
  } catch (error) {
    if (error instanceof OutboundFailure)
      return new ItemsFailure("archive.failed", { problem: error.message });
    throw error;
  }
}

function rangeOf({ offset, length }: ByteRange): string {
  return `bytes=${offset}-${offset + length - 1}`;
}

function fileUrl(base: URL, id: string, name: string): URL | undefined {
  if (!isItemId(id) || !isFileName(name)) return undefined;
  const path = name.split("/").map(encodeURIComponent).join("/");
  return new URL(`download/${encodeURIComponent(id)}/${path}`, base);
}
