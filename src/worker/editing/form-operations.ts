import type * as z from "zod";
import { latestRecordOf, parseDocument } from "../../catalog/document.ts";
import { toEditFormFields, nestFields } from "../../catalog/editing/form-fields.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { type CatalogRecord, keyOf, typeKeyOf } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { revisionOf, viewOf, readRevision } from "../../db/records/records.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { revisionSchema } from "../history/change-entry.ts";
import { wantsHtml } from "../http/accept.ts";
import { requireAccess } from "../http/access.ts";
import { recordNotFound } from "../http/errors.ts";
import {
  type AnyOperation,
  type Input,
  type Parameters,
  type RequestContext,
  catalogReader,
} from "../http/operation.ts";
import { digitsOf, slug } from "../http/parameters.ts";
import { type Reply, Redirect, NO_STORE, json, redirect } from "../http/reply.ts";
import { type Fields, resource } from "../http/views.ts";
import { command } from "../ui/command.ts";
import { recordPagePath } from "../ui/form.ts";
import { notify } from "../ui/notice.ts";
import { writeError } from "./edit-desk.ts";
import { type NameMatches, findNames, settlePicks } from "./picks.ts";
import type { FormRecordView } from "./record-form-page.ts";
import { type FormFailure, commentOf, failuresOf, readForm } from "./submitted-form.ts";

/** Returns the year of the request, in UTC. */
export function yearOf({ now }: RequestContext): number {
  return new Date(now).getUTCFullYear();
}

interface FormTarget {
  readonly key: string;
  readonly type: string;
  /** Readable part of the address, undefined if it has none. */
  readonly slug: string | undefined;
  /** Revision to fill the form with. */
  readonly revision: string | undefined;
}

/**
 * Creates `GET <record>/edit`: key and revision of the record for programs, the form for signed-in users. Redirects if
 * the record is a redirect, or the readable part is not the record's.
 */
export function editFormOperation<P extends Parameters, Q extends Parameters, Target extends FormTarget>({
  findTarget,
  showForm,
  ...fields
}: Fields<P, Q, {}, z.ZodUndefined> & {
  findTarget(
    input: Input<P, Q, {}, z.ZodUndefined>,
    context: RequestContext,
  ): Promise<Target | Redirect> | Target | Redirect;
  showForm(context: RequestContext, target: Target): Promise<Reply>;
}): AnyOperation {
  return resource<{ target: Target; row: RecordRow }, P, Q>({
    ...fields,
    responses: {
      200: { description: "Key and revision, or the HTML form", schema: revisionSchema, also: ["text/html"] },
      301: { description: "Redirect to the canonical URL" },
      303: { description: "Redirect to the login" },
      ...fields.responses,
    },
    async read(input, context) {
      const target = await findTarget(input, context);
      if (target instanceof Redirect) return target;
      const row = await revisionOf(catalogReader(context), target.key, target.revision);
      if (row === undefined) throw recordNotFound(target.key);
      if (row.type !== target.type) {
        const isMoved = row.type === "/type/redirect";
        const location = isMoved ? keyOf(parseDocument(row.document)["location"]) : undefined;
        if (location === undefined || !/^\/[^/\\]/.test(location)) throw recordNotFound(row.key);
        return redirect(301, `${location}/edit${context.url.search}`);
      }
      const address = recordPagePath(row.key, latestRecordOf(row), "/edit");
      // Q107: the form is also available without a readable part.
      const isCanonical = target.slug === undefined || address === context.url.pathname;
      return isCanonical || namesJson(context.request)
        ? { target, row }
        : redirect(301, address + context.url.search);
    },
    asJson: ({ row: { key, revision } }) => json({ key, revision }, { cacheControl: NO_STORE }),
    async page({ target }, _input, context) {
      await requireAccess("session", context);
      return showForm(context, target);
    },
  });
}

/** Returns true for clients that accept JSON explicitly, and not just anything: they are not redirected to a page. */
function namesJson(request: Request): boolean {
  return /application\/json/i.test(request.headers.get("Accept") ?? "") && !wantsHtml(request);
}

interface RecordFormCommand<Target> {
  readonly id: string;
  readonly kind: "edition" | "work" | "author";
  readonly summary: string;
  /** Description of the fields. */
  readonly fields: string;
  readonly saved: string;
  /** Finds the records of the form. Throws 404. */
  findTarget(context: RequestContext, key: string, form: CatalogRecord): Promise<Target>;
  /** Deletes the record for an administrator. */
  remove(context: RequestContext, deletion: { key: string; comment: string | null }): Promise<Redirect>;
  /** Saves the form and returns the record. Throws `writeError`. */
  save(context: RequestContext, target: Target, form: CatalogRecord): Promise<CatalogRecord>;
  showForm(context: RequestContext, target: Target & ResubmittedForm): Promise<Reply>;
}

export interface ResubmittedForm {
  readonly form?: CatalogRecord | undefined;
  readonly failures?: readonly FormFailure[];
  readonly nameMatches?: NameMatches;
}

/**
 * Creates `POST /<folder>/XX…/edit`, which saves a form. Shows it again with matches if typed names are unresolved or one
 * is to be looked up, and with failures if it is refused.
 */
export function recordFormCommand<Target>({
  id,
  kind,
  summary,
  fields,
  saved,
  findTarget,
  remove,
  save,
  showForm,
}: RecordFormCommand<Target>): AnyOperation {
  return command({
    id,
    summary,
    tag: "forms",
    path: { [`${kind}_id`]: digitsOf(kind), slug },
    body: { contentType: "application/x-www-form-urlencoded", description: fields },
    responses: {
      303: { description: saved },
      400: { description: "Invalid fields; browsers get the form again" },
    },
    async load({ path }, context) {
      const key = makeNumberedKey(kind, String(path[`${kind}_id`]), context.settings.RECORD_PREFIX);
      const sent = await readForm(context);
      const { form: nested, failures } = nestFields(kind === "author" ? sent : toEditFormFields(sent));
      if (failures.length > 0) throw writeError(failures);
      const settled = settlePicks(nested);
      return { key, ...settled, target: await findTarget(context, key, settled.form) };
    },
    async submit({ loaded: { key, target, form, open, find } }, context) {
      // Q106: the field is ignored for other users.
      if (Object.hasOwn(form, "_delete") && hasRole(await context.actor(), "admin")) {
        return remove(context, { key, comment: commentOf(form) });
      }
      if (find !== undefined || open.length > 0) return findNames(open, find, context);
      const record = await save(context, target, form);
      notify(context, "notice.saved");
      return redirect(303, recordPagePath(key, record));
    },
    showsPage: () => true,
    page: async (nameMatches, { loaded: { target, form, find } }, context) => ({
      ...(await showForm(context, { ...target, form, nameMatches })),
      status: find === undefined ? 400 : 200,
    }),
    again: (refusal, { loaded: { target, form } }, context) =>
      showForm(context, { ...target, form, failures: failuresOf(refusal) }),
  });
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
