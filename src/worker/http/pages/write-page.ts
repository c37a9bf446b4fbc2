import { computeRevisionsEtag } from "../../../catalog/etag.ts";
import { workNumberOfKey } from "../../../catalog/keys.ts";
import { wantsHtml } from "../accept.ts";
import { takeFlash } from "./flash.ts";
import { type RequestContext, baseUrl, rootPath } from "../operation.ts";
import { type Reader, ANONYMOUS_READER, pageLanguage } from "./reader.ts";
import { importTexts } from "./texts.ts";
import { type Reply, NO_STORE, PRIVATE } from "../reply.ts";
import { optionalSession, patronOf } from "../session.ts";
import type { Settings } from "../settings.ts";
import { fingerprintedPath } from "../static-files.ts";

export type WrittenReply = Reply & { body: string | ReadableStream | null };

const POLICY = "Content-Security-Policy";
const OWN_IMAGES = "img-src 'self'";
/** Statuses from this one on report overload: the client's session is not looked up for their pages. */
const TOO_MANY_REQUESTS = 429;

/** Writes a page for its reader (Q436). Pages with personal data are never cached. */
export async function writePage(reply: Reply, context: RequestContext): Promise<WrittenReply> {
  const { body, status, headers, cacheControl = "" } = reply;
  // TypeScript cannot narrow the object by one of its members.
  if (typeof body !== "function") return reply as WrittenReply;
  const reader = await readerOf(context, { status, isCached: !cacheControl.includes(NO_STORE) });
  const text = withRoot(await renderForReader(reader, body, context), reader.base);
  const policy = headers?.[POLICY]?.replace(OWN_IMAGES, imageSources(context.settings));
  const page = {
    ...reply,
    body: text,
    headers: { ...headers, ...(policy !== undefined && { [POLICY]: policy }) },
  };
  if (reader.username !== undefined || reader.messages.length > 0) return { ...page, cacheControl: PRIVATE };
  // A tag of the whole text: a page shows more than records, in a language, with the style of this release.
  return cacheControl.startsWith("public")
    ? { ...page, etag: `page-${computeRevisionsEtag([], text)}` }
    : page;
}

/**
 * Writes a page with the reader's shelves of all the works that it shows. The first pass collects these works, so that
 * one call answers for all of them, in every part of the page.
 */
async function renderForReader(reader: Reader, body: (reader: Reader) => string, { stores }: RequestContext) {
  const { username } = reader;
  if (username === undefined) return body(reader);
  const works = new Map<string, number>();
  const collect = (key: string) => {
    const work = workNumberOfKey(key);
    if (work !== undefined) works.set(key, work);
    return null;
  };
  const draft = body({ ...reader, shelfOf: collect });
  if (works.size === 0) return draft;
  const entries = await patronOf(stores, username).shelves.entries([...new Set(works.values())]);
  if (entries.length === 0) return draft;
  const shelves = new Map(entries.map(({ work, shelf }) => [work, shelf]));
  return body({ ...reader, shelfOf: (key) => shelves.get(works.get(key) ?? 0) ?? null });
}

/** Attributes of pages that have an address: browsers follow or load it, or the script of the pages reads it. */
const ADDRESS = /(\s(?:action|data-(?:answer|check|picker|terms)|formaction|href|src)=")\/(?!\/)/g;
const ADDRESS_LIST = /\s(?:data-suggest|srcset)="[^"]*/g;

/** Puts the path of the site before the addresses of HTML (Q867). No text is taken for one: its quotes are escaped. */
function withRoot(html: string, base: string): string {
  const root = rootPath(base);
  if (root === "") return html;
  return html
    .replaceAll(ADDRESS, `$1${root}/`)
    .replaceAll(ADDRESS_LIST, (list) => list.replaceAll(/(["\s])\/(?!\/)/g, `$1${root}/`));
}

interface PagePart {
  textFor(reader: Reader): string;
}

/** Writes a part of a page for an anonymous reader with the language of a request, in answers for scripts. */
export async function writePart(part: PagePart, context: RequestContext): Promise<string> {
  return withRoot(part.textFor(await readerPreferring(context)), baseUrl(context));
}

/** Returns an anonymous reader with the language of a request. */
export async function readerPreferring(context: RequestContext): Promise<Reader> {
  const site = await context.site();
  const language = pageLanguage(context.request, site);
  await importTexts(language);
  return { ...ANONYMOUS_READER, language, site };
}

/** Returns the reader of a request. Q818: programs read pages that caches store anonymously, as entries are per address. */
async function readerOf(
  context: RequestContext,
  { status, isCached }: { status: number; isCached: boolean },
): Promise<Reader> {
  const { request, stores, url } = context;
  const [style, script, site] = await Promise.all([
    fingerprintedPath(ANONYMOUS_READER.style, stores),
    fingerprintedPath(ANONYMOUS_READER.script, stores),
    context.site(),
  ]);
  const reader = {
    ...ANONYMOUS_READER,
    here: url.pathname + url.search,
    base: baseUrl(context),
    style,
    script,
    site,
  };
  const isPerson = wantsHtml(request);
  const isAnonymous = !isPerson && isCached;
  const language = isAnonymous ? site.language : pageLanguage(request, site, url.searchParams.get("lang"));
  await importTexts(language);
  if (isAnonymous || status >= TOO_MANY_REQUESTS) return { ...reader, language };
  const session = await optionalSession(context);
  return {
    ...reader,
    language,
    username: session?.username,
    messages: isPerson ? takeFlash(context) : [],
  };
}

/** Returns the image sources of a page's policy. Redirects of covers lead to the archive and hosts below it. */
function imageSources({ COVERS_PUBLIC_URL, COVER_FALLBACK_BASE, ARCHIVE_PUBLIC_URL }: Settings): string {
  const archive = COVER_FALLBACK_BASE === "" ? "" : new URL(ARCHIVE_PUBLIC_URL).origin;
  const named = [COVERS_PUBLIC_URL, COVER_FALLBACK_BASE].flatMap((url) => URL.parse(url)?.origin ?? []);
  const all = archive === "" ? named : [...named, archive, archive.replace("://", "://*.")];
  return [OWN_IMAGES, ...new Set(all)].join(" ");
}
