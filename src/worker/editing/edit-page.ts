import * as z from "zod";
import { latestRecord, parseDocument } from "../../catalog/document.ts";
import { keyOf, typeKey } from "../../catalog/record.ts";
import { revisionOf, viewOf } from "../../db/records/by-key.ts";
import type { RecordRow } from "../../db/records/read.ts";
import { wantsHtml } from "../http/accept.ts";
import { requireAccess } from "../http/access.ts";
import { recordNotFound } from "../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json, redirect } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import type { ShownRecord } from "./record-form.ts";

/** What is to be edited. */
interface EditTarget {
  readonly key: string;
  readonly type: string;
  /** The readable part of the address; undefined when it has none. */
  readonly slug: string | undefined;
  /** Revision to fill the form with. */
  readonly revision: string | undefined;
}

/**
 * `GET <record>/edit`: for programs the key and revision of the record, for people the page that `show` makes, once they
 * are logged in. Redirected records lead on, and so does another readable part than the record's own.
 */
export async function editAddress(
  context: RequestContext,
  target: EditTarget,
  show: () => Promise<Reply>,
): Promise<Reply> {
  const row = await revisionOf(catalogReader(context), target.key, target.revision);
  if (row === undefined) throw recordNotFound(target.key);
  if (row.type !== target.type) return elsewhere(row, context);
  if (!wantsHtml(context.request) && prefersJson(context)) return revisionReply(row);
  const address = recordPage(row.key, latestRecord(row), "/edit");
  // Q107: without any readable part the form is here too.
  if (target.slug !== undefined && address !== context.url.pathname) {
    return redirect(301, address + context.url.search);
  }
  if (!wantsHtml(context.request)) return revisionReply(row);
  await requireAccess("session", context);
  return show();
}

/** True when the client says that it wants JSON, and not just anything. */
function prefersJson({ request }: RequestContext): boolean {
  return /application\/json/i.test(request.headers.get("Accept") ?? "");
}

function revisionReply({ key, revision }: RecordRow): Reply {
  return json({ key, revision }, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
}

function elsewhere(row: RecordRow, { url }: RequestContext): Reply {
  const location = row.type === "/type/redirect" ? keyOf(parseDocument(row.document)["location"]) : undefined;
  if (location === undefined || !/^\/[^/\\]/.test(location)) throw recordNotFound(row.key);
  return redirect(301, `${location}/edit${url.search}`);
}

/** What an editing form is of. */
export interface EditedKind {
  /** Such as `author`: names the operation and the parameter `author_id`. */
  readonly noun: "author" | "work";
  readonly folder: string;
  readonly letter: string;
  page(
    context: RequestContext,
    record: { readonly key: string; readonly revision: string | undefined },
  ): Promise<Reply>;
}

const slug = z.string().describe("The readable part of the address");
const query = { v: z.string().optional().describe("Number of a revision to fill the form with") };

/** `GET /<folder>/XX…/edit`, with or without the readable part: the form for people, key and revision for programs. */
export function editPageOperation(kind: EditedKind, hasSlug: boolean): AnyOperation {
  const { noun, folder, letter, page } = kind;
  const number = `${noun}_id`;
  const digits = z.string().describe(`The digits of the ${noun}'s number`);
  const name = `edit${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}Form`;
  return operation({
    id: hasSlug ? `${name}AtPage` : name,
    summary: `The form of ${noun === "author" ? "an" : "a"} ${noun}`,
    tag: "forms",
    path: hasSlug ? { [number]: digits, slug } : { [number]: digits },
    query,
    responses: {
      200: {
        description: "A page for people",
        schema: z.object({ key: z.string(), revision: z.int() }),
        also: ["text/html"],
      },
      301: { description: "The record's own address" },
      303: { description: "People who are to log in first" },
      404: { description: `No such ${noun}` },
    },
    handle({ path: values, query: { v: revision } }, context) {
      const key = `/${folder}/${context.settings.RECORD_PREFIX}${String(values[number])}${letter}`;
      const at = typeof values["slug"] === "string" ? values["slug"] : undefined;
      return editAddress(context, { key, type: `/type/${noun}`, slug: at, revision }, () =>
        page(context, { key, revision }),
      );
    },
  });
}

/** A record as a form shows it, perhaps an older revision; 404 when there is none. */
export async function shownRecord(
  context: RequestContext,
  key: string,
  revision?: string | undefined,
): Promise<Omit<ShownRecord, "prefix" | "sent">> {
  const row = await revisionOf(catalogReader(context), key, revision);
  if (row === undefined) throw recordNotFound(key);
  const record = viewOf(row);
  return { key, type: typeKey(record) ?? row.type, record, revision: row.latest };
}
