import { lastSegmentOf, makeNumberedKey, workNumberOfKey } from "../../catalog/keys.ts";
import { findUserKey } from "../../db/records/users.ts";
import { readMergedWorks, readTarget } from "../../db/redirects.ts";
import { Failure } from "./failure.ts";
import { IsolateMemo } from "./isolate-cache.ts";
import { type RequestContext, catalogReader, isRead } from "./operation.ts";
import { type Reply, REVALIDATE, redirect } from "./reply.ts";

type PathValues = Readonly<Record<string, string>>;

/**
 * Answers a request for the record and the patron that its path means. Data about a work, which no record holds, is that
 * of the work which a merged one has become (Q680); other reads of a merged record redirect. A username may be in any
 * case (Q144): writes use the patron's own spelling, reads only if the sent one yields nothing, or nothing visible.
 */
export async function answerForTarget(
  context: RequestContext,
  { path, isAboutWork = false }: { path: PathValues; isAboutWork?: boolean | undefined },
  answer: (path: PathValues) => Promise<Reply>,
): Promise<Reply> {
  const { username, work_id: digits = "" } = path;
  const work = isAboutWork && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
  if (!isRead(context.request.method)) {
    const resolved: Record<string, string> = { ...path };
    const target = work === undefined ? undefined : await readMergeTarget(context, work);
    if (target !== undefined) resolved["work_id"] = target;
    if (username !== undefined) resolved["username"] = await canonicalUsername(username, context);
    return answer(resolved);
  }
  // Side by side, because few works have been merged.
  const [reply, target] = await Promise.allSettled([
    answer(path),
    work === undefined ? undefined : readMergeTarget(context, work),
  ]);
  if (reply.status === "fulfilled") {
    if (target.status === "rejected") throw target.reason;
    return target.value === undefined ? reply.value : answer({ ...path, work_id: target.value });
  }
  const { reason } = reply;
  const status = reason instanceof Failure ? reason.status : undefined;
  if (username !== undefined && (status === 404 || status === 403)) {
    const canonical = await canonicalUsername(username, context);
    if (canonical !== username) return answer({ ...path, username: canonical });
  }
  const location = status === 404 && !isAboutWork ? await findTargetAddress(context) : undefined;
  if (location === undefined) throw reason;
  return redirect(301, location, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } });
}

async function canonicalUsername(username: string, context: RequestContext): Promise<string> {
  const session = await context.session();
  if (session?.username.toLowerCase() === username.toLowerCase()) return session.username;
  const key = await findUserKey(catalogReader(context), username);
  return key === undefined ? username : lastSegmentOf(key);
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

/** Returns the number of the work that a merged one has become; undefined for all others. */
async function readMergeTarget(context: RequestContext, work: number): Promise<string | undefined> {
  if (!(await mayBeMerged(context, work))) return undefined;
  const target = await readTarget(catalogReader(context), workKey(context, work));
  const number = workNumberOfKey(target);
  return number === undefined ? undefined : String(number);
}

function workKey({ settings }: RequestContext, work: number): string {
  return makeNumberedKey("work", work, settings.RECORD_PREFIX);
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
