import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { seedTypeOf } from "../../catalog/lists/seeds.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { readOwnMembers } from "../../db/lists/read-lists.ts";
import { readRecords } from "../../db/records/records.ts";
import { answerEditForm } from "../editing/submitted-form.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { addressOf, markup, shortText } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { t } from "../ui/words.ts";
import { createList } from "./write-list.ts";
import { type ListFormPage, listFormPage, pickWorks } from "./form-page.ts";
import { canWriteLists } from "../http/access.ts";
import type { ListFolder } from "./folders.ts";
import { inFolders, pathParametersIn } from "./list-operations.ts";
import {
  listDenied,
  requireListOwner,
  withListErrors,
  checkForm,
  replyToSaved,
  readListFields,
  listTypeIn,
  username,
} from "./write-request.ts";
import { createSeries } from "./series.ts";

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
        const target = await findTarget(context, folder, names["username"] ?? "");
        const values = { name, seeds: seeds.replaceAll(",", "\n") };
        const isOneSeed = folder === "people" && /^\/[^,\s]+$/.test(seeds) && seedTypeOf(seeds) !== undefined;
        return addFormPage(target, {
          values,
          ...(isOneSeed && (await renderOwnLists(context, target, seeds))),
        });
      },
    }),
);

/** `POST <folder>/add`: creates a list by a form or JSON, or a series with the edges of its works in the same change. */
export const addByForm = inFolders(
  { people: "addList", lists: "addCommunityList", series: "addSeries" },
  (folder, id) =>
    operation({
      id,
      summary: `Create a ${folder === "series" ? "series" : "list"} by a form`,
      tag: "forms",
      path: pathParametersIn(folder, { username }),
      body: {
        contentType: "application/x-www-form-urlencoded",
        description:
          "`name`, `description`, `tags`, `seeds` or `seeds--0--key`, `seeds--0--thing--key`, `_comment`; or the same members as JSON",
      },
      responses: {
        200: {
          description: "Key of the record, for requests in JSON",
          schema: z.object({ key: z.string() }),
        },
        303: { description: "Redirect to the new record" },
        400: { description: "Invalid fields; browsers get the form again" },
        403: { description: "List of another user, or spam" },
      },
      async handle({ path: names }, context) {
        const target = await findTarget(context, folder, names["username"] ?? "");
        return withListErrors(target.folder, async () => {
          const { fields, works } = await pickWorks(await readListFields(context), context);
          if (works !== undefined) return addFormPage(target, { values: fields, works });
          return answerEditForm(context, {
            save: () => save(context, target, fields),
            page: async (failures) => addFormPage(target, { values: fields, failures }),
          });
        });
      },
    }),
);

type AddTarget = Awaited<ReturnType<typeof findTarget>>;

/** Returns type, owner (null: the community) and folder of a new record. Throws 404 if there is no such patron, and 403. */
async function findTarget(context: RequestContext, folder: ListFolder, name: string) {
  const type = listTypeIn(folder);
  if (folder === "people") {
    const owner = await requireListOwner(context, name);
    return { type, owner, folder: `${owner}/lists` };
  }
  if (!canWriteLists(await context.actor(), undefined)) throw listDenied();
  return { type, owner: null, folder: `/${folder}` };
}

async function renderOwnLists(context: RequestContext, { folder }: AddTarget, seed: string) {
  const owner = folder.slice(0, folder.lastIndexOf("/"));
  const reader = catalogReader(context);
  const [lists, [row]] = await Promise.all([
    readOwnMembers(reader, owner, context.settings.RECORD_PREFIX),
    readRecords(reader, [seed]),
  ]);
  const title = row === undefined ? seed : nameOf(latestRecordOf(row));
  const buttons = lists.map(({ key, name, members }) => {
    const isThere = members.includes(seed);
    const list = name === "" ? t("list.list_without_name") : markup`<b dir="auto">${shortText(name)}</b>`;
    const action = `${addressOf(key)}/seeds?${String(new URLSearchParams({ redir_url: addressOf(seed) }))}`;
    return markup`<li><form method="post" action="${action}"><input type="hidden" name="${isThere ? "remove" : "add"}" value="${seed}">
<button${!isThere && markup` class="primary"`}>${t(isThere ? "addto.take" : "addto.add", { list })}</button></form></li>`;
  });
  return {
    title: t("addto.title", { title }),
    heading: t("addto.title", { title: markup`<bdi>${title}</bdi>` }),
    above: markup`${buttons.length > 0 && markup`<h2>${t("addto.own")}</h2><ul class="plain">${buttons}</ul>`}<h2>${t("addto.new")}</h2>`,
  };
}

function addFormPage(
  { type, folder }: AddTarget,
  {
    values,
    failures = [],
    works,
    title,
    heading,
    above,
  }: Partial<ListFormPage> & Pick<ListFormPage, "values">,
): Reply {
  const isSeries = type === "/type/series";
  const base = addressOf(folder);
  return listFormPage({
    type,
    title: title ?? t(isSeries ? "listform.add_series" : "listform.make"),
    heading,
    above,
    action: `${base}/add`,
    back: { href: base, text: t("listform.back_lists") },
    revision: undefined,
    values,
    failures,
    works,
  });
}

async function save(context: RequestContext, target: AddTarget, fields: CatalogRecord): Promise<Reply> {
  const { type, owner, folder } = target;
  const checked = checkForm(context, fields, { key: folder, type });
  const { form, comment } = checked;
  const key =
    type === "/type/series"
      ? await createSeries(context, checked)
      : ((await createList(context, { owner, form, comment })).keys[0] ?? "");
  return replyToSaved(context, key, { type: { key: type }, name: form.name });
}
