import * as z from "zod";
import { latestText } from "../../catalog/document.ts";
import { revisionsEtag } from "../../catalog/etag.ts";
import { type Members, readMembers } from "../../db/records/members.ts";
import { wantsHtml } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import { type AnyOperation, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { REVALIDATE, jsonText, redirect } from "../http/reply.ts";

/** Entries of a page: most, and when none or 0 are asked for. */
const MEMBERS_LIMIT = { default: 50, max: 1000 };
const KEEP = { isolate: 5, edge: 30 };

const page = z.object({
  links: z
    .record(z.string(), z.string())
    .describe("self, the owner's key, prev and next where there are any"),
  size: z.int().describe("How many there are in all"),
  entries: z.array(z.looseObject({})),
});
const query = {
  limit: integer(z.int().min(0).max(MEMBERS_LIMIT.max)).default(MEMBERS_LIMIT.default),
  offset: integer(z.int().min(0)).default(0),
};

/** `GET /authors/XX<id>A/works.json`: the works of an author, ascending by key. */
export const readAuthorWorks = operation({
  id: "readAuthorWorks",
  summary: "Works of an author",
  tag: "records",
  path: { author_id: integer(z.int().min(0)) },
  query,
  keep: KEEP,
  responses: {
    200: { description: "A page of works", schema: page },
    303: { description: "People, without a suffix: to the page of the author" },
    404: { description: "No such author" },
  },
  handle: ({ path, query: { limit, offset } }, context) =>
    membersReply({ kind: "works", letter: "A", id: path.author_id, limit, offset }, context),
});

/** `GET /works/XX<id>W/editions.json`: the editions of a work, ascending by key. */
export const readWorkEditions = operation({
  id: "readWorkEditions",
  summary: "Editions of a work",
  tag: "records",
  path: { work_id: integer(z.int().min(0)) },
  query,
  keep: KEEP,
  responses: {
    200: { description: "A page of editions", schema: page },
    303: { description: "People, without a suffix: to the page of the work" },
    404: { description: "No such work" },
  },
  handle: ({ path, query: { limit, offset } }, context) =>
    membersReply({ kind: "editions", letter: "W", id: path.work_id, limit, offset }, context),
});

interface MembersRequest {
  readonly kind: "works" | "editions";
  readonly letter: "A" | "W";
  readonly id: number;
  readonly limit: number;
  readonly offset: number;
}

const OWNERS = {
  A: { segment: "authors", name: "author", type: "/type/author" },
  W: { segment: "works", name: "work", type: "/type/work" },
};

async function membersReply(
  { kind, letter, id, limit: asked, offset }: MembersRequest,
  context: Parameters<AnyOperation["handle"]>[1],
) {
  const { segment, name, type } = OWNERS[letter];
  const owner = `/${segment}/${context.settings.RECORD_PREFIX}${id}${letter}`;
  // Q435: people find them on the page of the record.
  if (!context.url.pathname.endsWith(".json") && wantsHtml(context.request)) {
    return redirect(303, `${owner}#${kind}`, { headers: { Vary: "Accept" } });
  }
  // Q3: a limit of 0 would never get any further, so it means the default.
  const limit = asked === 0 ? MEMBERS_LIMIT.default : asked;
  const members = await readMembers(catalogReader(context), { kind, owner }, { limit, offset });
  if (members.owner?.type !== type) throw notFound();
  const links = pageLinks(context.url, { limit, offset, shown: members.members.length, size: members.size });
  const head = JSON.stringify({
    links: { self: links.self, [name]: owner, ...links.more },
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

/** `self` is the request as received; only `offset` changes in the others. */
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
