import * as z from "zod";
import type { CatalogRecord } from "../../catalog/record.ts";
import { type FormFailure, answeredForm } from "../editing/sent-form.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { addressOf } from "../ui/markup.ts";
import { createList } from "./create.ts";
import { listFormPage } from "./form-page.ts";
import { mayWriteLists } from "../http/access.ts";
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
        return addFormPage(target, { shown: { name, seeds: seeds.replaceAll(",", "\n") } });
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
          const sent = await sentForm(context);
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

/** The form for something new, or again with what was sent. */
function addFormPage(
  { type, folder }: AddTarget,
  { shown, failures = [] }: { readonly shown: CatalogRecord; readonly failures?: readonly FormFailure[] },
): Reply {
  const isSeries = type === "/type/series";
  const base = addressOf(folder);
  return listFormPage({
    type,
    title: isSeries ? "Add a series" : "Make a list",
    action: `${base}/add`,
    back: isSeries ? { href: "/", text: "To the start" } : { href: base, text: "Back to the lists" },
    revision: undefined,
    shown,
    failures,
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
