import * as z from "zod";
import { conflictsOf } from "../../catalog/editing/conflicts.ts";
import { applyMembers, applyBookForm } from "../../catalog/editing/edit-book.ts";
import { documentFailure } from "../../catalog/editing/failure.ts";
import { parseAuthorForm } from "../../catalog/editing/record-forms.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { type CatalogRecord, isObject } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { failure } from "../http/failure.ts";
import type { AnyOperation, RequestContext } from "../http/operation.ts";
import { digitsOf, ownSlug } from "../http/parameters.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { isPerson } from "../ui/command.ts";
import { recordPagePath } from "../ui/form.ts";
import { notify } from "../ui/notice.ts";
import { workGroup } from "./book-form-page.ts";
import { tombstone, deleteEmptyWork } from "./deletion.ts";
import { writeError } from "./edit-desk.ts";
import { readLatestOfType, saveForm, readEditedRecord, toBookChange } from "./edit-records.ts";
import {
  type ResubmittedForm,
  editFormOperation,
  readFormRecordView,
  recordFormCommand,
  yearOf,
} from "./form-operations.ts";
import { AUTHOR_SECTIONS, WORK_SECTIONS } from "./member-fields.ts";
import { recordForm, objectUnder, recordSections } from "./record-form-page.ts";
import { saveChange } from "./save-change.ts";
import { commentOf } from "./submitted-form.ts";

interface SingleForm extends ResubmittedForm {
  key: string;
  revision?: string | undefined;
}

async function showSingleForm(
  kind: "author" | "work",
  { key, form, failures = [], nameMatches = new Map(), revision }: SingleForm,
  context: RequestContext,
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

function formOperation(id: string, kind: "author" | "work"): AnyOperation {
  return editFormOperation({
    id,
    summary: `Show the form of ${kind === "author" ? "an author" : "a work"}`,
    tag: "forms",
    path: { [`${kind}_id`]: digitsOf(kind), slug: ownSlug },
    query: { v: z.string().optional().describe("Revision to fill the form with") },
    responses: {},
    findTarget: ({ path, query: { v: revision } }, { settings }) => ({
      key: makeNumberedKey(kind, String(path[`${kind}_id`]), settings.RECORD_PREFIX),
      type: `/type/${kind}`,
      slug: path["slug"],
      revision,
    }),
    showForm: (context, target) => showSingleForm(kind, target, context),
  });
}

export const editAuthorForm = formOperation("editAuthorForm", "author");
export const editWorkForm = formOperation("editWorkForm", "work");

export const editAuthor = recordFormCommand({
  id: "editAuthor",
  kind: "author",
  summary: "Edit an author by a form, or delete an author without books",
  fields: "Fields `author--*`, `_comment`; `_delete` (administrators)",
  saved: "Redirect to the author, or after a deletion to the home page",
  async findTarget(context, key) {
    await readLatestOfType(context, key, "/type/author");
    return { key };
  },
  async remove(context, { key, comment }) {
    await saveChange(context, { documents: [tombstone(key)], kind: "update", comment });
    notify(context, "notice.deleted");
    return redirect(303, "/");
  },
  async save(context, { key }, form) {
    const { author: submitted } = form;
    if (!isObject(submitted)) throw failure("bad_data.author_fields");
    let after: CatalogRecord = {};
    await saveForm(context, [key], async (records) => {
      const edited = await readEditedRecord(context, { key, submitted }, records);
      const members = parseAuthorForm(submitted, edited.shown);
      after = applyMembers(edited.document, members);
      const conflicts = isPerson(context) ? conflictsOf(edited, members) : [];
      if (conflicts.length > 0) throw writeError(conflicts);
      if (members["name"] === null) {
        throw writeError([documentFailure({ key: "bad_data.missing_name" }, { key, property: "name" })]);
      }
      if (Object.keys(members).length === 0) return undefined;
      return { documents: [], edits: [after], kind: "update", comment: commentOf(form) };
    });
    return after;
  },
  showForm: (context, target) => showSingleForm("author", target, context),
});

export const editWork = recordFormCommand({
  id: "editWork",
  kind: "work",
  summary: "Edit a work by a form, or delete a work without editions",
  fields: "Fields `work--*`, `_comment`; `_delete` (administrators)",
  saved: "Redirect to the work, or after a deletion to the home page",
  async findTarget(context, key) {
    await readLatestOfType(context, key, "/type/work");
    return { key };
  },
  remove: deleteEmptyWork,
  async save(context, { key }, form) {
    let after: CatalogRecord = {};
    await saveForm(context, [key], async (records) => {
      const edited = await readEditedRecord(context, { key, submitted: form["work"] }, records);
      const applied = applyBookForm(form, {
        edition: undefined,
        work: edited,
        mayChangeScan: false,
        thisYear: isPerson(context) ? yearOf(context) : undefined,
      });
      if (applied.failures.length > 0) throw writeError(applied.failures);
      after = applied.edits[0] ?? edited.document;
      return toBookChange(applied, form);
    });
    return after;
  },
  showForm: (context, target) => showSingleForm("work", target, context),
});
