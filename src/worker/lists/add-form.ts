import * as z from "zod";
import { latestRecord } from "../../catalog/document.ts";
import { seedType } from "../../catalog/lists/seeds.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { readOwnMembers } from "../../db/lists/read-lists.ts";
import { readRecords } from "../../db/records/records.ts";
import { answeredForm } from "../editing/sent-form.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { addressOf, markup, shortText } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { say } from "../ui/words.ts";
import { createList } from "./create.ts";
import { type ListFormPage, listFormPage } from "./form-page.ts";
import { mayWriteLists } from "../http/access.ts";
import { pickedWorks } from "./picked-works.ts";
import { type ListFolder, inFolders, pathIn } from "./operation.ts";
import { listDenied, requireOwner, withListErrors } from "./rights.ts";
import { createSeries } from "./series.ts";
import { checkedForm, savedReply, sentForm, typeIn, username } from "./write-request.ts";

/** `GET <folder>/add`: the form of a new list or series. */
export const addForm = inFolders(
  { people: "addListForm", lists: "addCommunityListForm", series: "addSeriesForm" },
  (folder, id) =>
    operation({
      id,
      summary: `The form of a new ${folder === "series" ? "series" : "list"}`,
      tag: "forms",
      path: pathIn(folder, { username }),
      query: {
        name: z.string().optional().describe("A name to fill in"),
        seeds: z.string().optional().describe("Seeds to fill in, with commas between"),
      },
      responses: {
        200: { description: "A page for people", contentType: "text/html", schema: z.string() },
        401: { description: "Not logged in; people are led to the login" },
        403: { description: "Somebody else's lists" },
      },
      async handle({ path: names, query: { name = "", seeds = "" } }, context) {
        const target = await addTarget(context, folder, names["username"] ?? "");
        const shown = { name, seeds: seeds.replaceAll(",", "\n") };
        const isOne = folder === "people" && /^\/[^,\s]+$/.test(seeds) && seedType(seeds) !== undefined;
        return addFormPage(target, { shown, ...(isOne && (await addToOwn(context, target, seeds))) });
      },
    }),
);

/** `POST <folder>/add`: makes a list by a form or JSON, or a series, whose works are told in the same change. */
export const addByForm = inFolders(
  { people: "addList", lists: "addCommunityList", series: "addSeries" },
  (folder, id) =>
    operation({
      id,
      summary: `Make a ${folder === "series" ? "series" : "list"} by a form`,
      tag: "forms",
      path: pathIn(folder, { username }),
      body: {
        contentType: "application/x-www-form-urlencoded",
        description:
          "`name`, `description`, `tags`, `seeds` or `seeds--0--key`, `seeds--0--thing--key`, `_comment`; or the same as JSON",
      },
      responses: {
        200: { description: "Programs that send JSON: the key", schema: z.object({ key: z.string() }) },
        303: { description: "To the new record" },
        400: { description: "What is wrong; people get the form again" },
        401: { description: "Not logged in" },
        403: { description: "Somebody else's lists, or it looks like spam" },
      },
      async handle({ path: names }, context) {
        const target = await addTarget(context, folder, names["username"] ?? "");
        return withListErrors(target.folder, async () => {
          const { sent, works } = await pickedWorks(await sentForm(context), context);
          if (works !== undefined) return addFormPage(target, { shown: sent, works });
          return answeredForm(context, {
            save: () => save(context, target, sent),
            page: async (failures) => addFormPage(target, { shown: sent, failures }),
          });
        });
      },
    }),
);

type AddTarget = Awaited<ReturnType<typeof addTarget>>;

/** What is made at an address, and for whom (null: the community); 404 without such a patron, 403 for others. */
async function addTarget(context: RequestContext, folder: ListFolder, name: string) {
  const type = typeIn(folder);
  if (folder === "people") {
    const owner = await requireOwner(context, name);
    return { type, owner, folder: `${owner}/lists` };
  }
  if (!mayWriteLists(await context.actor(), undefined)) throw listDenied();
  return { type, owner: null, folder: `/${folder}` };
}

/** What the form shows, and what was wrong with it. */
interface ShownForm extends Partial<
  Pick<ListFormPage, "failures" | "works" | "title" | "heading" | "above">
> {
  readonly shown: CatalogRecord;
}

/** The lists that a patron has already: one button puts a record there, or takes it out. */
async function addToOwn(context: RequestContext, { folder }: AddTarget, seed: string) {
  const owner = folder.slice(0, folder.lastIndexOf("/"));
  const reader = catalogReader(context);
  const [lists, [row]] = await Promise.all([
    readOwnMembers(reader, owner, context.settings.RECORD_PREFIX),
    readRecords(reader, [seed]),
  ]);
  const title = row === undefined ? seed : nameOf(latestRecord(row));
  const buttons = lists.map(({ key, name, members }) => {
    const isThere = members.includes(seed);
    const list = name === "" ? say("list.list_without_name") : markup`<b dir="auto">${shortText(name)}</b>`;
    const action = `${addressOf(key)}/seeds?${String(new URLSearchParams({ redir_url: addressOf(seed) }))}`;
    return markup`<li><form method="post" action="${action}"><input type="hidden" name="${isThere ? "remove" : "add"}" value="${seed}">
<button${!isThere && markup` class="primary"`}>${say(isThere ? "addto.take" : "addto.add", { list })}</button></form></li>`;
  });
  return {
    title: say("addto.title", { title }),
    heading: say("addto.title", { title: markup`<bdi>${title}</bdi>` }),
    above: markup`${buttons.length > 0 && markup`<h2>${say("addto.own")}</h2><ul class="plain">${buttons}</ul>`}<h2>${say("addto.new")}</h2>`,
  };
}

/** The form for something new, or again with what was sent. */
function addFormPage(
  { type, folder }: AddTarget,
  { shown, failures = [], works, title, heading, above }: ShownForm,
): Reply {
  const isSeries = type === "/type/series";
  const base = addressOf(folder);
  return listFormPage({
    type,
    title: title ?? say(isSeries ? "listform.add_series" : "listform.make"),
    heading,
    above,
    action: `${base}/add`,
    back: { href: base, text: say("listform.back_lists") },
    revision: undefined,
    shown,
    failures,
    works,
  });
}

async function save(context: RequestContext, target: AddTarget, sent: CatalogRecord): Promise<Reply> {
  const { type, owner, folder } = target;
  const checked = checkedForm(context, sent, { key: folder, type });
  const { form, comment } = checked;
  const key =
    type === "/type/series"
      ? await createSeries(context, checked)
      : ((await createList(context, { owner, form, comment })).keys[0] ?? "");
  return savedReply(context, key, { type: { key: type }, name: form.name });
}
