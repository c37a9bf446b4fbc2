import * as z from "zod";
import { latestRecord } from "../../../catalog/document.ts";
import { stringsOf, textOf } from "../../../catalog/record.ts";
import { readRecord } from "../../../db/records/read.ts";
import { type AnyOperation, type RequestContext, catalogReader } from "../../http/operation.ts";
import { personPage } from "../../pages/people/person-page.ts";
import { type ShownPatron, findPatron } from "../../people/shown-patron.ts";
import type { Reply } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { wantsHtml } from "../../http/accept.ts";
import { recordPath } from "../../records/record-path.ts";
import { readAnyRecord } from "../../records/record.ts";

const WEB_ADDRESS = /^https?:\/\//i;

/** `GET /people/<u>` (Q228): a page for people; the record, its history and its older revisions for everybody else. */
export const person: AnyOperation = {
  ...readAnyRecord,
  id: "person",
  summary: "A patron: his record, or a page",
  tag: "people",
  path: { username: z.string() },
  async handle(input, context) {
    const patron = isForPeople(context)
      ? await findPatron(context, String(input.path["username"]))
      : undefined;
    return patron === undefined ? readAnyRecord.handle(input, context) : profile(patron, context);
  },
};

function isForPeople({ url, request }: RequestContext): boolean {
  const isPlain = !url.searchParams.has("m") && !url.searchParams.has("v");
  const { encoding } = recordPath(url.pathname, request.headers.get("Accept"));
  return isPlain && encoding === undefined && wantsHtml(request);
}

async function profile(patron: ShownPatron, context: RequestContext): Promise<Reply> {
  const { username, reader, isOwn, isOpen } = patron;
  const { stores } = context;
  const [row, sizes, followed] = await Promise.all([
    readRecord(catalogReader(context), `/people/${username}`),
    isOpen ? patronOf(stores, username).shelves.sizes() : undefined,
    reader === undefined || isOwn
      ? undefined
      : patronOf(stores, reader).pages.followed([username.toLowerCase()]),
  ]);
  const record = row === undefined ? {} : latestRecord(row);
  return personPage({
    patron,
    description: textOf(record["description"]) ?? "",
    // Anybody can write anything into his record, a script's address too.
    websites: stringsOf(record["website"]).filter((address) => WEB_ADDRESS.test(address)),
    sizes,
    isFollowed: followed === undefined ? undefined : followed.length > 0,
  });
}
