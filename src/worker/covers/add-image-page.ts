import { type CatalogRecord, isObject, textOf } from "../../catalog/record.ts";
import { readEditionCovers } from "../../db/covers/read.ts";
import { requireAccess } from "../http/access.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { link } from "../ui/parts.ts";
import { image, wayBack } from "./edit-page-parts.ts";
import { type ImageTarget, asksForPage, forKinds, imagesReply, targetOf } from "./image-kinds.ts";
import { imageRecord, imagesOf } from "./record-images.ts";

/** Whose new image a form is for, and what was wrong with the one that was sent. */
export interface ImageForm {
  readonly target: ImageTarget;
  readonly record: CatalogRecord;
  readonly problem?: string;
  readonly url?: string;
}
interface AddImagePage extends ImageForm {
  /** Covers of a work's editions, which it can have too. */
  readonly others: readonly number[];
  /** Hosts that images are taken from. */
  readonly hosts: readonly string[];
}

function addImagePage(what: AddImagePage): Reply {
  const { target, record, problem, others } = what;
  const { kind } = target;
  const [present] = imagesOf(record, kind);
  const body = markup`${wayBack(target, record, "add")}
${errorSummary(problem === undefined ? [] : [{ message: problem }])}
${present !== undefined && markup`<p>${image(target, present, `Present ${kind.image}`)}</p>`}
${uploadForm(what)}
${kind.noun === "author" && knowledgeBase(record)}
${others.length > 0 && choiceForm(what)}`;
  return page({
    title: `Add a ${kind.image} of ${nameOf(record)}`,
    body,
    status: problem === undefined ? 200 : 400,
  });
}

function uploadForm({ target: { key, kind }, hosts, url = "" }: AddImagePage): Markup {
  return markup`<form method="post" action="${key}/add-${kind.image}" enctype="multipart/form-data">
<div><label for="file">Image file</label>
<p class="hint" id="file-hint">JPEG, PNG, GIF or WebP, of 10 MB at most, and of about 6 million pixels, such as 2,000 times 3,000.
Make larger photographs smaller first.</p>
<input type="file" id="file" name="file" accept=".jpg,.jpeg,.gif,.png,.webp" aria-describedby="file-hint"></div>
${field({
  name: "url",
  label: "Or the address of an image",
  type: "url",
  value: url,
  hint: `It goes before a file. Images are taken from ${hosts.join(", ")}.`,
})}
<p><button type="submit">Add the ${kind.image}</button></p></form>`;
}

/** Where there may be a photo of somebody. */
function knowledgeBase(record: CatalogRecord): Markup | undefined {
  const { remote_ids: ids } = record;
  const entry = isObject(ids) ? textOf(ids["wikidata"]) : undefined;
  if (entry === undefined || !/^Q\d{1,15}$/.test(entry)) return undefined;
  return markup`<p>${link(`https://www.wikidata.org/wiki/${entry}`, "Look for a photo in the entry at Wikidata")}</p>`;
}

function choiceForm({ target, others }: AddImagePage): Markup {
  const { key, kind } = target;
  const choices = others.map(
    (
      id,
    ) => markup`<p class="check"><input type="radio" name="coverid" value="${id}" id="cover-${id}" required>
<label for="cover-${id}">${image(target, id, `Cover ${id}`)} Cover ${id}</label></p>`,
  );
  return markup`<h2>Covers of its editions</h2>
<form method="post" action="${key}/add-${kind.image}">
<fieldset><legend>Which one is to stand for the work?</legend>${choices}</fieldset>
<p><button type="submit">Take this cover</button></p></form>`;
}

/**
 * `GET /books/OL1M/add-cover`, `/authors/OL1A/add-photo`: the form for people who are logged in; programs get what the
 * record has.
 */
export const addImageForm = forKinds((kind, names) =>
  operation({
    id: `add${names.noun}${names.image}Form`,
    summary: `The form of a new ${kind.image} of ${names.one}`,
    tag: "covers",
    path: names.path,
    responses: {
      200: { description: "A page for people", schema: names.schema, also: ["text/html"] },
      301: { description: "The record has become another one" },
      303: { description: "People log in first" },
      404: { description: `No such ${kind.noun}` },
    },
    async handle({ path }, context) {
      const target = targetOf(kind, path, context);
      const record = await imageRecord(catalogReader(context), target, `/add-${kind.image}`);
      if (!asksForPage(context)) return imagesReply(target, imagesOf(record, kind));
      await requireAccess("session", context);
      return addPage(context, { target, record });
    },
  }),
);

/** The form, perhaps with what was wrong with it. */
export async function addPage(context: RequestContext, what: ImageForm): Promise<Reply> {
  const { key, kind } = what.target;
  const own = new Set(imagesOf(what.record, kind));
  const others = kind.noun === "work" ? await readEditionCovers(catalogReader(context), key) : [];
  return addImagePage({
    ...what,
    others: others.filter((id) => !own.has(id)),
    hosts: context.settings.COVER_HOSTS,
  });
}
