import { failure } from "../http/failure.ts";
import * as z from "zod";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { hasRole } from "../../catalog/roles.ts";
import { revisionSchema } from "../history/change-entry.ts";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import { digitsOf, ownSlug } from "../http/parameters.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { recordPagePath } from "../ui/form.ts";
import {
  type ResubmittedForm,
  serveEditAddress,
  readFormRecordView,
  isDeletion,
  saveOrShowAgain,
  formPostOperation,
} from "./edit-page.ts";
import { AUTHOR_SECTIONS, WORK_SECTIONS } from "./member-fields.ts";
import { recordForm, objectUnder, recordSections } from "./record-form.ts";
import { parseAuthorForm } from "../../catalog/editing/record-forms.ts";
import { conflictsOf } from "../../catalog/editing/conflicts.ts";
import { applyMembers, applyBookForm } from "../../catalog/editing/edit-book.ts";
import { documentFailure } from "../../catalog/editing/failure.ts";
import { type CatalogRecord, isObject } from "../../catalog/record.ts";
import { writeError } from "./edit-desk.ts";
import { saveChange } from "./save-change.ts";
import { wantsHtml } from "../http/accept.ts";
import { notify } from "../ui/notice.ts";
import { tombstone, deleteEmptyWork } from "./deletion.ts";
import { readLatestOfType, saveForm, readEditedRecord, toBookChange } from "./edit-records.ts";
import { commentOf } from "./submitted-form.ts";
import { workGroup } from "./book-form-page.ts";

interface SinglePage extends ResubmittedForm {
  kind: "author" | "work";
  key: string;
  revision?: string | undefined;
}

async function singlePage(
  context: RequestContext,
  { kind, key, form, failures = [], nameMatches = new Map(), revision }: SinglePage,
): Promise<Reply> {
  const submitted = objectUnder(form, kind);
  const view = {
    prefix: kind,
    ...(await readFormRecordView(context, key, { revision, submitted, failures })),
  };
  const state = { failures, nameMatches, languages: new Map<string, string>() };
  const isAuthor = kind === "author";
  const sections = isAuthor ? AUTHOR_SECTIONS : WORK_SECTIONS;
  return recordForm({
    title: String(view.record[isAuthor ? "name" : "title"] ?? key),
    action: `${key}/edit`,
    record: recordPagePath(key, view.record),
    groups: [isAuthor ? recordSections(sections, view, state) : await workGroup(view, state, context)],
    records: [{ prefix: kind, key, sections }],
    failures,
    form,
    mayDelete: hasRole(await context.actor(), "admin"),
  });
}

/** Creates the operation `GET /<folder>/XX…/edit`: the form, or key and revision for programs. */
function formOperation(id: string, kind: "author" | "work"): AnyOperation {
  return operation({
    id,
    summary: `Show the form of ${kind === "author" ? "an author" : "a work"}`,
    tag: "forms",
    path: { [`${kind}_id`]: digitsOf(kind), slug: ownSlug },
    query: { v: z.string().optional().describe("Revision to fill the form with") },
    responses: {
      200: { description: "Key and revision, or the HTML form", schema: revisionSchema, also: ["text/html"] },
      301: { description: "Redirect to the canonical URL" },
      303: { description: "Redirect to the login" },
    },
    handle({ path, query: { v: revision } }, context) {
      const key = makeNumberedKey(kind, String(path[`${kind}_id`]), context.settings.RECORD_PREFIX);
      return serveEditAddress(context, { key, type: `/type/${kind}`, slug: path["slug"], revision }, () =>
        singlePage(context, { kind, key, revision }),
      );
    },
  });
}

export const editAuthorForm = formOperation("editAuthorForm", "author");

export const editAuthor = formPostOperation({
  id: "editAuthor",
  kind: "author",
  summary: "Edit an author by a form, or delete an author without books",
  fields: "Fields `author--*`, `_comment`; `_delete` (administrators)",
  saved: "Redirect to the author, or after a deletion to the home page",
  wrong: "Fields invalid or missing; browsers get the form again",
  async save(context, key, submitted) {
    const { form } = submitted;
    await readLatestOfType(context, key, "/type/author");
    return saveOrShowAgain(context, submitted, {
      async save() {
        if (!(await isDeletion(context, form))) return saveAuthor(context, key, form);
        await saveChange(context, { documents: [tombstone(key)], kind: "update", comment: commentOf(form) });
        notify(context, "notice.deleted");
        return redirect(303, "/");
      },
      page: (again) => singlePage(context, { kind: "author", key, ...again }),
    });
  },
});

async function saveAuthor(context: RequestContext, key: string, form: CatalogRecord): Promise<Reply> {
  const { author: submitted } = form;
  if (!isObject(submitted)) throw failure("bad_data.author_fields");
  let after: CatalogRecord = {};
  await saveForm(context, [key], async (records) => {
    const edited = await readEditedRecord(context, { key, submitted }, records);
    const members = parseAuthorForm(submitted, edited.shown);
    after = applyMembers(edited.document, members);
    const conflicts = wantsHtml(context.request) ? conflictsOf(edited, members) : [];
    if (conflicts.length > 0) throw writeError(conflicts);
    if (members["name"] === null) {
      throw writeError([documentFailure({ key: "bad_data.missing_name" }, { key, property: "name" })]);
    }
    if (Object.keys(members).length === 0) return undefined;
    return { documents: [], edits: [after], kind: "update", comment: commentOf(form) };
  });
  notify(context, "notice.saved");
  return redirect(303, recordPagePath(key, after));
}

export const editWorkForm = formOperation("editWorkForm", "work");

export const editWork = formPostOperation({
  id: "editWork",
  kind: "work",
  summary: "Edit a work by a form, or delete a work without editions",
  fields: "Fields `work--*`, `_comment`; `_delete` (administrators)",
  saved: "Redirect to the work, or after a deletion to the home page",
  async save(context, key, submitted) {
    const { form } = submitted;
    await readLatestOfType(context, key, "/type/work");
    if (await isDeletion(context, form)) return deleteEmptyWork(context, { key, comment: commentOf(form) });
    return saveOrShowAgain(context, submitted, {
      save: () => saveWork(context, key, form),
      page: (again) => singlePage(context, { kind: "work", key, ...again }),
    });
  },
});

async function saveWork(context: RequestContext, work: string, form: CatalogRecord): Promise<Reply> {
  let after: CatalogRecord = {};
  await saveForm(context, [work], async (records) => {
    const edited = await readEditedRecord(context, { key: work, submitted: form["work"] }, records);
    const applied = applyBookForm(form, {
      edition: undefined,
      work: edited,
      mayChangeScan: false,
      isGuarded: wantsHtml(context.request),
    });
    if (applied.failures.length > 0) throw writeError(applied.failures);
    after = applied.edits[0] ?? edited.document;
    return toBookChange(applied, form);
  });
  notify(context, "notice.saved");
  return redirect(303, recordPagePath(work, after));
}
