import * as z from "zod";
import { latestTextOf } from "../../catalog/document.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { readMembers } from "../../db/records/members.ts";
import { wantsHtml } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, REVALIDATE, jsonText, redirect } from "../http/reply.ts";
import { RECORD_KEEP, editionSchema, workSchema } from "./record-answer.ts";

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

export const readAuthorWorks = membersOperation("readAuthorWorks", "works", "author");
export const readWorkEditions = membersOperation("readWorkEditions", "editions", "work");

function membersOperation(id: string, kind: "works" | "editions", noun: "author" | "work"): AnyOperation {
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
      const owner = makeNumberedKey(noun, Number(path[`${noun}_id`]), context.settings.RECORD_PREFIX);
      // Q435: people find them on the page of the record.
      if (!context.url.pathname.endsWith(".json") && wantsHtml(context.request)) {
        return redirect(303, `${owner}#${kind}`, { headers: { Vary: "Accept" } });
      }
      // Q3: a limit of 0 would never get any further, so it means the default.
      const part = { limit: limit === 0 ? MEMBERS_LIMIT.default : limit, offset };
      return membersReply({ kind, noun, owner }, part, context);
    },
  });
}

async function membersReply(
  { kind, noun, owner }: { kind: "works" | "editions"; noun: "author" | "work"; owner: string },
  { limit, offset }: { limit: number; offset: number },
  context: RequestContext,
): Promise<Reply> {
  const {
    owner: ownerRow,
    members,
    size,
  } = await readMembers(catalogReader(context), { kind, owner }, { limit, offset });
  if (ownerRow?.type !== `/type/${noun}`) throw notFound();
  const { url } = context;
  const links: Record<string, string> = { self: url.pathname + url.search, [noun]: owner };
  if (offset > 0) links["prev"] = withOffset(url, Math.max(0, offset - limit));
  // Q496: a page of large records ends early, and the next one begins there.
  const end = offset + members.length;
  if (members.length > 0 && end < size) links["next"] = withOffset(url, end);
  const head = JSON.stringify({ links, size });
  const times = [ownerRow, ...members].map(({ lastModified }) => lastModified);
  return jsonText(`${head.slice(0, -1)},"entries":[${members.map(latestTextOf).join(",")}]}`, {
    etag: computeRevisionsEtag([ownerRow, ...members], String(size)),
    lastModified: times.reduce((latest, time) => (time > latest ? time : latest)),
    cacheControl: REVALIDATE,
    headers: { Vary: "Accept" },
    records: [owner, ...members.map(({ key }) => key)],
  });
}

function withOffset(url: URL, offset: number): string {
  const search = new URLSearchParams(url.search);
  search.set("offset", String(offset));
  return `${url.pathname}?${search}`;
}
