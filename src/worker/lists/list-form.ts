import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { missingRecordFailure } from "../../catalog/editing/failure.ts";
import { buildListChangeData } from "../../catalog/lists/list-change.ts";
import { type ListType, buildListRecord } from "../../catalog/lists/list-form.ts";
import { seedTypeOf, seedsOfRecord } from "../../catalog/lists/seeds.ts";
import { type CatalogRecord, type Json, stringsOf, typeKeyOf } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { readOwnMembers } from "../../db/lists/read-lists.ts";
import { readRecords } from "../../db/records/records.ts";
import { writeError } from "../editing/edit-desk.ts";
import { readLatest, saveForm } from "../editing/edit-records.ts";
import { findByName } from "../editing/find-by-name.ts";
import { editFormOperation, readFormRecordView } from "../editing/form-operations.ts";
import { type FormFailure, failuresOf } from "../editing/submitted-form.ts";
import { canWriteLists, ownerOfList } from "../http/access.ts";
import {
  type AnyOperation,
  type Parameters,
  type RequestContext,
  type ResponseSpec,
  type Values,
  catalogReader,
  operation,
} from "../http/operation.ts";
import { slug } from "../http/parameters.ts";
import { type Reply, NO_STORE, json, redirect } from "../http/reply.ts";
import { isJson } from "../http/request-body.ts";
import { command } from "../ui/command.ts";
import { recordPagePath } from "../ui/form.ts";
import { addressOf, shortText } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { notify } from "../ui/notice.ts";
import { t } from "../ui/words.ts";
import type { ListFolder } from "./folders.ts";
import { type WorkMatches, listFormPage, listsWithSeed } from "./list-form-page.ts";
import { inFolders, listKeyOf, listNotFound, pathParametersIn } from "./list-operations.ts";
import { changeWorks, createSeries, readSeriesMembers, workKeysOf } from "./series.ts";
import { createList } from "./write-list.ts";
import {
  checkForm,
  followSeedInputs,
  listDenied,
  listId,
  listTypeIn,
  readListFields,
  requireListOwner,
  requireListWriter,
  requireRevision,
  toListError,
  username,
  withListErrors,
} from "./write-request.ts";

/** List or series that a form creates or replaces. */
interface FormTarget {
  readonly type: ListType;
  /** Key of the record; of a new one the folder: `/people/ana/lists`. */
  readonly key: string;
  /** Key of the patron who owns a new list; null for lists of the community. */
  readonly owner?: string | null;
  readonly revision?: string | undefined;
  /** Stored seeds of an existing list. */
  readonly stored?: readonly Json[];
}

interface FilledForm {
  /** Submitted fields, if the form is shown again. */
  readonly fields?: CatalogRecord;
  readonly failures?: readonly FormFailure[];
  readonly works?: WorkMatches | undefined;
}

export const addForm = inFolders(
  { people: "addListForm", lists: "addCommunityListForm", series: "addSeriesForm" },
  (folder, id) =>
    operation({
      id,
      summary: `Show the form of a new ${folder === "series" ? "series" : "list"}`,
      tag: "forms",
      path: pathParametersIn(folder, { username }),
      query: {
        name: z.string().optional().describe("Name to fill in"),
        seeds: z.string().optional().describe("Seeds to fill in, comma-separated"),
      },
      responses: {
        200: { description: "HTML form", contentType: "text/html", schema: z.string() },
        403: { description: "List of another user" },
      },
      async handle({ path: names, query: { name = "", seeds = "" } }, context) {
        const target = await findNewList(context, folder, names["username"] ?? "");
        const fields = { name, seeds: seeds.replaceAll(",", "\n") };
        const isOneSeed = folder === "people" && /^\/[^,\s]+$/.test(seeds) && seedTypeOf(seeds) !== undefined;
        if (!isOneSeed) return newListPage(target, { fields });
        const reader = catalogReader(context);
        const [lists, [row]] = await Promise.all([
          readOwnMembers(reader, target.owner ?? "", context.settings.RECORD_PREFIX),
          readRecords(reader, [seeds]),
        ]);
        const title = row === undefined ? seeds : nameOf(latestRecordOf(row));
        return newListPage(target, { fields }, listsWithSeed(lists, seeds, title));
      },
    }),
);

/** `POST <folder>/add`: creates a list by a form or JSON, or a series with the edges of its works in the same change. */
export const addByForm = inFolders(
  { people: "addList", lists: "addCommunityList", series: "addSeries" },
  (folder, id) =>
    listFormCommand({
      id,
      summary: `Create a ${folder === "series" ? "series" : "list"} by a form`,
      path: pathParametersIn(folder, { username }),
      fields:
        "`name`, `description`, `tags`, `seeds` or `seeds--0--key`, `seeds--0--thing--key`, `_comment`; or the same members as JSON",
      responses: { 303: { description: "Redirect to the new record" } },
      findTarget: (path, context) => findNewList(context, folder, String(path["username"] ?? "")),
      async save(context, target, fields) {
        const { type, owner = null } = target;
        const checked = checkForm(context, fields, target);
        const { form, comment } = checked;
        const key =
          type === "/type/series"
            ? await createSeries(context, checked)
            : (await createList(context, { owner, form, comment })).keys[0];
        return { key: key ?? "", record: { type: { key: type }, name: form.name } };
      },
      showForm: async (_context, target, filled) => newListPage(target, filled),
    }),
);

/** Returns type, owner and folder of a new record. Throws 403, and 404 if there is no such patron. */
async function findNewList(context: RequestContext, folder: ListFolder, name: string): Promise<FormTarget> {
  const type = listTypeIn(folder);
  if (folder === "people") {
    const owner = await requireListOwner(context, name);
    return { type, owner, key: `${owner}/lists` };
  }
  if (!canWriteLists(await context.actor(), undefined)) throw listDenied();
  return { type, owner: null, key: `/${folder}` };
}

function newListPage(
  { type, key }: FormTarget,
  { fields = {}, failures = [], works }: FilledForm,
  more: Partial<ReturnType<typeof listsWithSeed>> = {},
): Reply {
  const base = addressOf(key);
  return listFormPage({
    type,
    title: t(type === "/type/series" ? "listform.add_series" : "listform.make"),
    action: `${base}/add`,
    back: { href: base, text: t("listform.back_lists") },
    revision: undefined,
    values: fields,
    failures,
    works,
    ...more,
  });
}

const path = { username, list_id: listId, slug };

export const editForm = inFolders(
  { people: "editListForm", lists: "editCommunityListForm", series: "editSeriesForm" },
  (folder, id) =>
    editFormOperation({
      id,
      summary: `Show the form of a ${folder === "series" ? "series" : "list"}`,
      tag: "forms",
      path: pathParametersIn(folder, path),
      query: { v: z.string().optional().describe("Revision to fill the form with") },
      responses: {
        401: { description: "Not logged in" },
        403: { description: "List of another user" },
      },
      findTarget: ({ path: names, query: { v: revision } }, context) => {
        const key = listKeyOf(folder, names, context);
        return { key, type: listTypeIn(folder), slug: names["slug"], revision };
      },
      showForm: (context, target) => editFormPage(context, target, {}),
    }),
);

/** `POST <list>[/<slug>]/edit`: replaces a list or series by a form or JSON; a series also adds and removes works. */
export const editByForm = inFolders(
  { people: "editList", lists: "editCommunityList", series: "editSeries" },
  (folder, id) =>
    listFormCommand({
      id,
      summary: `Replace a ${folder === "series" ? "series and its works" : "list"} by a form`,
      path: pathParametersIn(folder, path),
      fields: "Fields as for a new record, with `revision` as in the form; or the same members as JSON",
      responses: {
        303: { description: "Redirect to the record" },
        409: { description: "Revision other than the current one" },
      },
      async findTarget(names, context) {
        const type = listTypeIn(folder);
        const key = listKeyOf(folder, names, context);
        const before = (await readLatest(context, [key])).get(key)?.document;
        if (before === undefined || typeKeyOf(before) !== type) throw listNotFound();
        await requireListWriter(context, ownerOfList(key));
        return { type, key, stored: seedsOfRecord(before) };
      },
      save: replaceList,
      showForm: editFormPage,
    }),
);

/** Renders the form of a list or series, filled with a revision or with submitted fields. Throws 403. */
async function editFormPage(
  context: RequestContext,
  { key, type, revision }: FormTarget,
  { fields, failures = [], works }: FilledForm,
): Promise<Reply> {
  const owner = ownerOfList(key);
  const actor = await requireListWriter(context, owner);
  const { record, revision: latest } = await readFormRecordView(context, key, { revision });
  const address = addressOf(key);
  const isSeries = type === "/type/series";
  const mayDelete = !isSeries && (owner === actor.key || hasRole(actor, "admin"));
  const members = isSeries && fields === undefined ? await readSeriesMembers(context, key) : [];
  const seeds = members.map(({ key: work, notes = "", position = "" }) => ({
    thing: { key: work },
    notes,
    position,
  }));
  return listFormPage({
    type,
    title: t("listform.edit", { name: shortText(String(record["name"] ?? key)) }),
    action: `${address}/edit`,
    back: {
      href: recordPagePath(key, record),
      text: t(isSeries ? "listform.back_series" : "listform.back_list"),
    },
    revision: latest,
    values: fields ?? (isSeries ? { ...record, seeds } : record),
    failures,
    works,
    deleteAction: mayDelete ? `${address}/delete` : undefined,
  });
}

/**
 * Replaces the members of a list or series and its seeds. The seeds of a series are edges of its works, which are saved in
 * the same change: the series gets a revision if any of them changes. Throws `writeError`.
 */
async function replaceList(context: RequestContext, target: FormTarget, fields: CatalogRecord) {
  const { key, type } = target;
  const { form, comment, revision } = checkForm(context, fields, target);
  const seeds = await followSeedInputs(context, form.seeds);
  const isSeries = type === "/type/series";
  const members = isSeries ? (await readSeriesMembers(context, key)).map(({ key: work }) => work) : [];
  const works = isSeries ? workKeysOf(seeds, key) : [];
  let record: CatalogRecord = {};
  await saveForm(context, [...new Set([key, ...members, ...works])], async (records) => {
    const before = records.get(key);
    if (before === undefined || typeKeyOf(before.document) !== type) {
      throw writeError([missingRecordFailure(key, { key })]);
    }
    requireRevision(before, revision);
    record = buildListRecord(type, { ...form, seeds }, before.document);
    return {
      documents: [],
      edits: isSeries ? [record, ...changeWorks({ series: key, seeds, members }, records)] : [record],
      kind: isSeries ? "edit-series" : "edit-list",
      comment: comment ?? null,
      data: buildListChangeData(key, { seeds }),
      ...(isSeries ? { touched: [key] } : {}),
      suspectsAll: true,
    };
  });
  return { key, record };
}

interface ListFormCommand<P extends Parameters> {
  readonly id: string;
  readonly summary: string;
  readonly path: P;
  /** Description of the fields. */
  readonly fields: string;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  findTarget(path: Values<P>, context: RequestContext): Promise<FormTarget>;
  /** Saves the fields and returns the record. Throws `writeError`. */
  save(
    context: RequestContext,
    target: FormTarget,
    fields: CatalogRecord,
  ): Promise<{ key: string; record: CatalogRecord }>;
  showForm(context: RequestContext, target: FormTarget, filled: FilledForm): Promise<Reply>;
}

/** Creates an operation that saves the form of a list, or shows it again: with failures, or with works to pick from. */
function listFormCommand<P extends Parameters>({
  fields: description,
  responses,
  findTarget,
  save,
  showForm,
  ...rest
}: ListFormCommand<P>): AnyOperation {
  return command({
    ...rest,
    tag: "forms",
    body: { contentType: "application/x-www-form-urlencoded", description },
    responses: {
      200: { description: "Key of the record, for requests in JSON", schema: z.object({ key: z.string() }) },
      400: { description: "Invalid fields; browsers get the form again" },
      403: { description: "List of another user, or spam" },
      ...responses,
    },
    async load({ path: names }, context) {
      const target = await findTarget(names, context);
      const sent = await withListErrors(target.key, () => readListFields(context));
      // Programs that send JSON pick nothing.
      if (isJson(context.request)) return { target, fields: sent, works: undefined };
      return { target, ...(await pickWorks(sent, context)) };
    },
    submit: async ({ loaded: { target, fields, works } }, context) =>
      works === undefined ? save(context, target, fields) : { key: target.key, works },
    showsPage: ({ request }) => !isJson(request),
    asJson: ({ key }) => json({ key }, { cacheControl: NO_STORE }),
    page(result, { loaded: { target, fields } }, context) {
      if ("works" in result) return showForm(context, target, { fields, works: result.works });
      notify(context, "notice.list_saved");
      return redirect(303, recordPagePath(result.key, result.record), { cacheControl: NO_STORE });
    },
    again: (refusal, { loaded: { target, fields } }, context) =>
      showForm(context, target, { fields, failures: failuresOf(refusal) }),
    refusalAsJson: (refusal, { loaded: { target } }) => toListError(refusal, target.key),
  });
}

/**
 * Adds the works picked by title (`seeds_more`) to the fields of a form, and searches for another one (`seeds_text`).
 * `works` are the matches to pick from before the form is saved; undefined if there is nothing to pick.
 */
async function pickWorks(
  form: CatalogRecord,
  context: RequestContext,
): Promise<{ fields: CatalogRecord; works: WorkMatches | undefined }> {
  const { seeds_text: text, seeds_more: more, find, ...rest } = form;
  const { seeds } = rest;
  if (typeof seeds !== "string" || typeof text !== "string") return { fields: form, works: undefined };
  const picked = stringsOf(more);
  const fields = { ...rest, seeds: [seeds.trimEnd(), ...picked].filter((line) => line !== "").join("\n") };
  const typed = text.trim();
  const isSearch = find === "seeds" || (typed !== "" && picked.length === 0);
  const works = isSearch ? { typed, matches: await findByName("work", typed, context) } : undefined;
  return { fields, works };
}
