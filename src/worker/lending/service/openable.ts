import { readDerived } from "../../http/derived-answers.ts";
import { IsolateMemo } from "../../http/isolate-cache.ts";
import { writeCache } from "../../http/kv-cache.ts";
import type { RequestContext } from "../../http/operation.ts";

/** Formats of the files that this service's reader can open, by scan; undefined if that is not known here. */
export type OpenableScans = ReadonlyMap<string, readonly string[]> | undefined;

/** KV key of the scans that have files. */
export const OPENABLE_SCANS = "openable:v1";
const OPENABLE_SECONDS = 300;
/** Calls of R2, each of 1,000 objects. A larger archive is not known: all its scans count as openable. */
const LISTS_MAX = 20;
/** Names of files that describe a scan. Readers cannot open them. */
const DESCRIPTIONS = /(?:^|\/)metadata\.json$|_(?:meta|marc|files)\.\w+$|\.mrc$/i;

/** Scans with files by isolate, up to five seconds old: the entry of a large archive takes milliseconds to parse. */
const recentScans = new IsolateMemo(async (context: RequestContext): Promise<OpenableScans> => {
  const { scans } = await readDerived(context, {
    name: OPENABLE_SCANS,
    seconds: OPENABLE_SECONDS,
    make: async () => ({ scans: await listOpenable(context.stores.archive) }),
  });
  return scans === null ? undefined : new Map(scans);
});

/** Reads which scans have files to read, up to five minutes old; another reader (`READER_URL`) has files of its own. */
export async function readOpenable(context: RequestContext): Promise<OpenableScans> {
  return context.settings.READER_URL === "" ? recentScans.get(context) : undefined;
}

/** Reads the scans anew next time. Call after files were added. */
export function forgetOpenable(context: RequestContext): Promise<void> {
  const { stores, sources } = context;
  recentScans.forget(context);
  return writeCache(stores.cache, OPENABLE_SCANS, { entry: null, sources });
}

async function listOpenable(archive: R2Bucket): Promise<[scan: string, formats: string[]][] | null> {
  const formats = new Map<string, Set<string>>();
  let cursor: string | undefined;
  for (let lists = 0; lists < LISTS_MAX; lists += 1) {
    const listed = await archive.list({ prefix: "items/", ...(cursor !== undefined && { cursor }) });
    for (const { key } of listed.objects) {
      const [, scan = "", file = ""] = /^items\/([^/]+)\/(.+)$/s.exec(key) ?? [];
      if (file === "" || DESCRIPTIONS.test(file)) continue;
      const known = formats.get(scan) ?? new Set();
      const [, format] = /\.(\w{1,5})$/.exec(file) ?? [];
      formats.set(scan, format === undefined ? known : known.add(format.toUpperCase()));
    }
    if (!listed.truncated) return [...formats].map(([scan, names]) => [scan, [...names]]);
    cursor = listed.cursor;
  }
  return null;
}

/** Returns true if a scan can be opened, or if that is not known. */
export function isOpenable(scans: OpenableScans, scan: string): boolean {
  return scans === undefined || scans.has(scan);
}
