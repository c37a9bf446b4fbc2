import * as z from "zod";
import { latestText } from "../../catalog/document.ts";
import { revisionsEtag } from "../../catalog/etag.ts";
import { numberedKey } from "../../catalog/keys.ts";
import { type Members, readMembers } from "../../db/records/members.ts";
import { wantsHtml } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, REVALIDATE, jsonText, redirect } from "../http/reply.ts";
import { RECORD_KEEP } from "./record-answer.ts";
import { editionSchema, workSchema } from "./schemas.ts";

/** Entries of a page: default, also for a limit of 0, and maximum. */
const MEMBERS_LIMIT = { default: 50, max: 1000 };

function pageOf(entry: z.ZodType) {
  return z.object({
    links: z
      .record(z.string(), z.string())
      .describe("self, the owner's key, prev and next where there are any"),
    size: z.int().describe("How many there are in all"),
    entries: z.array(entry),
  });
}
type MembersKind = "works" | "editions";

/** `GET /authors/XX<id>A/works.json`: the works of an author, ascending by key. */
export const readAuthorWorks = membersOperation("readAuthorWorks", "works", "author");
/** `GET /works/XX<id>W/editions.json`: the editions of a work, ascending by key. */
export const readWorkEditions = membersOperation("readWorkEditions", "editions", "work");

function membersOperation(id: string, kind: MembersKind, noun: "author" | "work"): AnyOperation {
  return operation({
    id,
    summary: `${kind === "works" ? "Works" : "Editions"} of ${noun === "author" ? "an author" : "a work"}`,
    tag: "records",
    path: { [`${noun}_id`]: integer(z.int().min(0)) },
    query: {
      limit: integer(z.int().min(0).max(MEMBERS_LIMIT.max)).default(MEMBERS_LIMIT.default),
      offset: integer(z.int().min(0)).default(0),
    },
    keep: RECORD_KEEP,
    responses: {
      200: {
        description: `A page of ${kind}`,
        schema: pageOf(kind === "works" ? workSchema : editionSchema),
      },
      303: { description: `People, without a suffix: to the page of the ${noun}` },
      404: { description: `No such ${noun}` },
    },
    handle({ path, query: { limit, offset } }, context) {
      const owner = numberedKey(noun, Number(path[`${noun}_id`]), context.settings.RECORD_PREFIX);
      // Q435: people find them on the page of the record.
      if (!context.url.pathname.endsWith(".json") && wantsHtml(context.request)) {
        return redirect(303, `${owner}#${kind}`, { headers: { Vary: "Accept" } });
      }
      // Q3: a limit of 0 would never get any further, so it means the default.
      const part = { limit: limit === 0 ? MEMBERS_LIMIT.default : limit, offset };
      return membersReply({ kind, owner }, part, context);
    },
  });
}

async function membersReply(
  { kind, owner }: { readonly kind: MembersKind; readonly owner: string },
  { limit, offset }: { readonly limit: number; readonly offset: number },
  context: RequestContext,
): Promise<Reply> {
  const noun = kind === "works" ? "author" : "work";
  const members = await readMembers(catalogReader(context), { kind, owner }, { limit, offset });
  if (members.owner?.type !== `/type/${noun}`) throw notFound();
  const links = pageLinks(context.url, { limit, offset, shown: members.members.length, size: members.size });
  const head = JSON.stringify({
    links: { self: links.self, [noun]: owner, ...links.more },
    size: members.size,
  });
  const entries = members.members.map(latestText).join(",");
  return jsonText(`${head.slice(0, -1)},"entries":[${entries}]}`, {
    etag: revisionsEtag([members.owner, ...members.members], String(members.size)),
    lastModified: newest(members),
    cacheControl: REVALIDATE,
    headers: { Vary: "Accept" },
    records: [owner, ...members.members.map(({ key }) => key)],
  });
}

function newest({ owner, members }: Members): string {
  return members.reduce(
    (time, { lastModified }) => (lastModified > time ? lastModified : time),
    owner?.lastModified ?? "",
  );
}

/** Returns the links of a page. `self` is the request as received; only `offset` changes in the others. */
function pageLinks(
  url: URL,
  { limit, offset, shown, size }: { limit: number; offset: number; shown: number; size: number },
) {
  const more: Record<string, string> = {};
  if (offset > 0) more["prev"] = withOffset(url, Math.max(0, offset - limit));
  // Q496: a page of large records ends early, and the next one begins there.
  if (shown > 0 && offset + shown < size) more["next"] = withOffset(url, offset + shown);
  return { self: url.pathname + url.search, more };
}

function withOffset(url: URL, offset: number): string {
  const search = new URLSearchParams(url.search);
  search.set("offset", String(offset));
  return `${url.pathname}?${search}`;
}
