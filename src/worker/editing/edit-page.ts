import { latestRecordOf, parseDocument } from "../../catalog/document.ts";
import { toEditFormFields, nestFields } from "../../catalog/editing/form-fields.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { hasRole } from "../../catalog/roles.ts";
import { type CatalogRecord, keyOf, typeKeyOf } from "../../catalog/record.ts";
import { revisionOf, viewOf, readRevision } from "../../db/records/records.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { wantsHtml } from "../http/accept.ts";
import { requireAccess } from "../http/access.ts";
import { recordNotFound } from "../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json, redirect } from "../http/reply.ts";
import { digitsOf, slug } from "../http/parameters.ts";
import { writeError } from "./edit-desk.ts";
import { recordPagePath } from "../ui/form.ts";
import type { FormRecordView } from "./record-form.ts";
import { type NameMatches, type SettledForm, findNames, settlePicks } from "./picks.ts";
import { type FormFailure, answerEditForm, readForm } from "./submitted-form.ts";

/**
 * Serves `GET <record>/edit`: key and revision of the record for programs, the page of `render` for signed-in users.
 * Redirects if the record is a redirect, or the readable part (`slug`) is not the record's.
 */
export async function serveEditAddress(
  context: RequestContext,
  target: { key: string; type: string; slug: string | undefined; revision: string | undefined },
  render: () => Promise<Reply>,
): Promise<Reply> {
  const row = await revisionOf(catalogReader(context), target.key, target.revision);
  if (row === undefined) throw recordNotFound(target.key);
  if (row.type !== target.type) {
    const isMoved = row.type === "/type/redirect";
    const location = isMoved ? keyOf(parseDocument(row.document)["location"]) : undefined;
    if (location === undefined || !/^\/[^/\\]/.test(location)) throw recordNotFound(row.key);
    return redirect(301, `${location}/edit${context.url.search}`);
  }
  // Clients that accept JSON explicitly, and not just anything, are not redirected.
  const prefersJson = /application\/json/i.test(context.request.headers.get("Accept") ?? "");
  if (!wantsHtml(context.request) && prefersJson) return replyWithRevision(row);
  const address = recordPagePath(row.key, latestRecordOf(row), "/edit");
  // Q107: the form is also available without a readable part.
  if (target.slug !== undefined && address !== context.url.pathname) {
    return redirect(301, address + context.url.search);
  }
  if (!wantsHtml(context.request)) return replyWithRevision(row);
  await requireAccess("session", context);
  return render();
}

function replyWithRevision({ key, revision }: RecordRow): Reply {
  return json({ key, revision }, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
}

interface FormPost {
  id: string;
  kind: "edition" | "work" | "author";
  summary: string;
  fields: string;
  saved: string;
  wrong?: string;
  save(context: RequestContext, key: string, submitted: SettledForm): Promise<Reply>;
}

/** Creates the operation `POST /<folder>/XX…/edit`, which saves a form. */
export function formPostOperation({ id, kind, summary, fields, saved, wrong, save }: FormPost): AnyOperation {
  return operation({
    id,
    summary,
    tag: "forms",
    path: { [`${kind}_id`]: digitsOf(kind), slug },
    body: { contentType: "application/x-www-form-urlencoded", description: fields },
    responses: {
      303: { description: saved },
      400: { description: wrong ?? "Invalid fields; browsers get the form again" },
    },
    async handle({ path }, context) {
      const key = makeNumberedKey(kind, String(path[`${kind}_id`]), context.settings.RECORD_PREFIX);
      const submittedFields = await readForm(context);
      const { form, failures } = nestFields(
        kind === "author" ? submittedFields : toEditFormFields(submittedFields),
      );
      if (failures.length > 0) throw writeError(failures);
      return save(context, key, settlePicks(form));
    },
  });
}

/**
 * Saves a form, or shows it again: with matches if typed names are unresolved or one is to be looked up, with failures
 * if it is refused.
 */
export async function saveOrShowAgain(
  context: RequestContext,
  { form, open, find }: SettledForm,
  { save, page }: { save(): Promise<Reply>; page(again: ResubmittedForm): Promise<Reply> },
): Promise<Reply> {
  if (find === undefined && open.length === 0) {
    return answerEditForm(context, { save, page: (failures) => page({ form, failures }) });
  }
  const reply = await page({ form, nameMatches: await findNames(open, find, context) });
  return find === undefined ? { ...reply, status: 400 } : reply;
}

/** Returns true if an administrator deletes the record by a form (Q106). The field is ignored for other users. */
export async function isDeletion(context: RequestContext, form: CatalogRecord): Promise<boolean> {
  return Object.hasOwn(form, "_delete") && hasRole(await context.actor(), "admin");
}

export interface ResubmittedForm {
  readonly form?: CatalogRecord | undefined;
  readonly failures?: readonly FormFailure[];
  readonly nameMatches?: NameMatches;
}

/** Reads a record, or an older revision, for a form. Throws 404 if it does not exist. */
export async function readFormRecordView(
  context: RequestContext,
  key: string,
  {
    revision,
    submitted,
    failures = [],
  }: Partial<Pick<FormRecordView, "submitted">> &
    Pick<ResubmittedForm, "failures"> & { revision?: string | undefined },
): Promise<Omit<FormRecordView, "prefix">> {
  // Reads the primary after a failure, to see concurrent changes.
  const reader =
    failures.length > 0 ? context.stores.catalog.withSession("first-primary") : catalogReader(context);
  const row = await revisionOf(reader, key, revision);
  if (row === undefined) throw recordNotFound(key);
  const record = viewOf(row);
  const isConflict = failures.some(({ error, at }) => error === "conflict" && at?.key === key);
  const old = isConflict ? await readRevision(reader, key, Number(submitted?.["revision"])) : undefined;
  return {
    key,
    type: typeKeyOf(record) ?? row.type,
    record,
    revision: row.latest,
    submitted,
    before: old && viewOf(old),
  };
}
