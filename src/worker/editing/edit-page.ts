import { latestRecord, parseDocument } from "../../catalog/document.ts";
import { editFields, nestedFields } from "../../catalog/editing/form-fields.ts";
import { numberedKey } from "../../catalog/keys.ts";
import { hasRole } from "../../catalog/roles.ts";
import { type CatalogRecord, keyOf, typeKey } from "../../catalog/record.ts";
import { revisionOf, viewOf, readRevision } from "../../db/records/records.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { wantsHtml } from "../http/accept.ts";
import { requireAccess } from "../http/access.ts";
import { recordNotFound } from "../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json, redirect } from "../http/reply.ts";
import { digitsOf, slug } from "../http/parameters.ts";
import { writeError } from "../history/edit-desk.ts";
import { recordPage } from "../ui/form.ts";
import type { ShownRecord } from "./record-form.ts";
import { type FoundNames, type SettledForm, foundNames, settled } from "./picks.ts";
import { type FormFailure, answeredForm, readForm } from "./sent-form.ts";

interface EditTarget {
  readonly key: string;
  readonly type: string;
  /** Readable part of the address; undefined if it has none. */
  readonly slug: string | undefined;
  /** Revision to fill the form with. */
  readonly revision: string | undefined;
}

/**
 * `GET <record>/edit`: for programs the key and revision of the record, for people the page returned by `show`, after
 * they have logged in. Redirects for redirected records, and for a readable part other than the record's own.
 */
export async function editAddress(
  context: RequestContext,
  target: EditTarget,
  show: () => Promise<Reply>,
): Promise<Reply> {
  const row = await revisionOf(catalogReader(context), target.key, target.revision);
  if (row === undefined) throw recordNotFound(target.key);
  if (row.type !== target.type) {
    const isMoved = row.type === "/type/redirect";
    const location = isMoved ? keyOf(parseDocument(row.document)["location"]) : undefined;
    if (location === undefined || !/^\/[^/\\]/.test(location)) throw recordNotFound(row.key);
    return redirect(301, `${location}/edit${context.url.search}`);
  }
  // A client that asks for JSON explicitly, and not for anything, is not redirected.
  const prefersJson = /application\/json/i.test(context.request.headers.get("Accept") ?? "");
  if (!wantsHtml(context.request) && prefersJson) return revisionReply(row);
  const address = recordPage(row.key, latestRecord(row), "/edit");
  // Q107: the form is also available without any readable part.
  if (target.slug !== undefined && address !== context.url.pathname) {
    return redirect(301, address + context.url.search);
  }
  if (!wantsHtml(context.request)) return revisionReply(row);
  await requireAccess("session", context);
  return show();
}

function revisionReply({ key, revision }: RecordRow): Reply {
  return json({ key, revision }, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
}

interface SentForm {
  readonly id: string;
  readonly kind: "edition" | "work" | "author";
  readonly summary: string;
  /** Description of its fields. */
  readonly fields: string;
  /** Description of the redirect after saving. */
  readonly saved: string;
  readonly wrong?: string;
  save(context: RequestContext, key: string, sent: SettledForm): Promise<Reply>;
}

/** `POST /<folder>/XX…/edit`: saves a form. */
export function sentFormOperation({ id, kind, summary, fields, saved, wrong, save }: SentForm): AnyOperation {
  return operation({
    id,
    summary,
    tag: "forms",
    path: { [`${kind}_id`]: digitsOf(kind), slug },
    body: { contentType: "application/x-www-form-urlencoded", description: fields },
    responses: {
      303: { description: saved },
      400: { description: wrong ?? "What is wrong; people get the form again" },
      401: { description: "Not logged in" },
      404: { description: `No such ${kind}` },
    },
    async handle({ path }, context) {
      const key = numberedKey(kind, String(path[`${kind}_id`]), context.settings.RECORD_PREFIX);
      const sent = await readForm(context);
      const { form, failures } = nestedFields(kind === "author" ? sent : editFields(sent));
      if (failures.length > 0) throw writeError(failures);
      return save(context, key, settled(form));
    },
  });
}

/**
 * Saves a form. If typed names are unresolved, or one is to be looked up, people get the form again with matches; if it
 * is refused, with the failures.
 */
export async function savedOrAgain(
  context: RequestContext,
  { form, open, find }: SettledForm,
  { save, page }: { save(): Promise<Reply>; page(again: SentAgain): Promise<Reply> },
): Promise<Reply> {
  if (find === undefined && open.length === 0) {
    return answeredForm(context, { save, page: (failures) => page({ form, failures }) });
  }
  const reply = await page({ form, found: await foundNames(open, find, context) });
  return find === undefined ? { ...reply, status: 400 } : reply;
}

/** Returns true if an administrator deletes the record by a form (Q106); the field is ignored for all other users. */
export async function isDeletion(context: RequestContext, form: CatalogRecord): Promise<boolean> {
  return Object.hasOwn(form, "_delete") && hasRole(await context.actor(), "admin");
}

export interface SentAgain {
  /** Sent fields. */
  readonly form?: CatalogRecord | undefined;
  readonly failures?: readonly FormFailure[];
  readonly found?: FoundNames;
}

interface FormFilling {
  /** Number of an older revision to fill it with. */
  readonly revision?: string | undefined;
  /** Sent fields, if the form is shown again. */
  readonly sent?: CatalogRecord | undefined;
  readonly failures?: readonly FormFailure[];
}

/** Reads a record for a form, perhaps an older revision. Throws 404 if there is none. */
export async function shownRecord(
  context: RequestContext,
  key: string,
  { revision, sent, failures = [] }: FormFilling = {},
): Promise<Omit<ShownRecord, "prefix">> {
  // Concurrent changes are visible at once.
  const reader =
    failures.length > 0 ? context.stores.catalog.withSession("first-primary") : catalogReader(context);
  const row = await revisionOf(reader, key, revision);
  if (row === undefined) throw recordNotFound(key);
  const record = viewOf(row);
  const isConflict = failures.some(({ error, at }) => error === "conflict" && at?.key === key);
  const old = isConflict ? await readRevision(reader, key, Number(sent?.["revision"])) : undefined;
  return {
    key,
    type: typeKey(record) ?? row.type,
    record,
    revision: row.latest,
    sent,
    before: old && viewOf(old),
  };
}
