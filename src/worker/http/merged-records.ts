import { makeNumberedKey, workNumberOfKey } from "../../catalog/keys.ts";
import { readMergedWorks, readTarget } from "../../db/redirects.ts";
import { Failure } from "./failure.ts";
import { IsolateMemo } from "./isolate-cache.ts";
import { type RequestContext, catalogReader, isRead } from "./operation.ts";
import { type Reply, REVALIDATE, redirect } from "./reply.ts";

type PathValues = Readonly<Record<string, string>>;

/**
 * Answers a request whose path names a merged record for the record that it has become (Q680). Data about a work, which
 * no record holds, is that of the target. Other reads that find nothing redirect to the address of the target.
 */
export function withMergedRecord(
  context: RequestContext,
  { isAboutWork = false, path }: { isAboutWork?: boolean | undefined; path: PathValues },
  answer: (path: PathValues) => Promise<Reply>,
): Promise<Reply> {
  const isReading = isRead(context.request.method);
  if (isAboutWork) return answerForTarget(path, context, { answer, isReading });
  return isReading ? answerOrRedirect(context, () => answer(path)) : answer(path);
}

/** Reads ask for the work and its target at once, because few works have one; writes wait for the target. */
async function answerForTarget(
  path: PathValues,
  context: RequestContext,
  { answer, isReading }: { answer: (path: PathValues) => Promise<Reply>; isReading: boolean },
): Promise<Reply> {
  const { work_id: digits = "" } = path;
  if (!/^\d{1,15}$/.test(digits)) return answer(path);
  const [reply, target] = await Promise.allSettled([
    isReading ? answer(path) : undefined,
    readMergeTarget(context, Number(digits)),
  ]);
  if (reply.status === "rejected") throw reply.reason;
  if (target.status === "rejected") throw target.reason;
  const number = workNumberOfKey(target.value);
  if (number !== undefined) return answer({ ...path, work_id: String(number) });
  return reply.value ?? answer(path);
}

/** Age of the list of merged works, in milliseconds: that of other cached answers, and shorter than a move of a work. */
const MERGED_TTL_MS = 30_000;
/** Merged works that an isolate remembers. If there are more, the target of every work is read. */
const MERGED_WORKS_MAX = 1000;

const mergedWorks = new IsolateMemo(async (context: RequestContext) => {
  const works = await readMergedWorks(catalogReader(context), MERGED_WORKS_MAX + 1);
  return works.length > MERGED_WORKS_MAX ? undefined : new Set(works);
}, MERGED_TTL_MS);

/** Returns true unless the work is known not to be merged. Clients that have just written see their own merge. */
export async function mayBeMerged(context: RequestContext, work: number): Promise<boolean> {
  if (context.bookmark !== undefined) return true;
  const merged = await mergedWorks.get(context, "", workKey(context, work));
  return merged === undefined || merged.has(work);
}

async function readMergeTarget(context: RequestContext, work: number): Promise<string | undefined> {
  return (await mayBeMerged(context, work))
    ? readTarget(catalogReader(context), workKey(context, work))
    : undefined;
}

function workKey({ settings }: RequestContext, work: number): string {
  return makeNumberedKey("work", work, settings.RECORD_PREFIX);
}

async function answerOrRedirect(context: RequestContext, answer: () => Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    const isMissing = error instanceof Failure && error.status === 404;
    const location = isMissing ? await findTargetAddress(context) : undefined;
    if (location === undefined) throw error;
    return redirect(301, location, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } });
  }
}

/** Parts of an address that names a record: what comes before its key, the key, and the rest. */
const ADDRESS = /^((?:\/opds)?)(\/\w+\/[A-Z]{2}\d+[MWAL])(?=[/.]|$)(.*)$/s;

/** Returns the address of the request for the target of its record; undefined if it has none, and for revisions. */
async function findTargetAddress(context: RequestContext): Promise<string | undefined> {
  const { pathname, search, searchParams } = context.url;
  const [, before = "", key, rest = ""] = ADDRESS.exec(pathname) ?? [];
  if (key === undefined || searchParams.has("v")) return undefined;
  const target = await readTarget(catalogReader(context), key);
  return target === undefined ? undefined : before + target + rest + search;
}
