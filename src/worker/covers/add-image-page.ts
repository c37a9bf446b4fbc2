import { type CatalogRecord, isObject, textOf } from "../../catalog/record.ts";
import { readEditionCovers } from "../../db/covers/read-covers.ts";
import { requireAccess } from "../http/access.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";
import { IMAGE_WORDS, image, wayBack } from "./edit-page-parts.ts";
import { type ImageTarget, asksForPage, forKinds, imagesReply, targetOf } from "./image-kinds.ts";
import { imageRecord, imagesOf } from "./record-images.ts";

/** Record that the form adds an image to, with the problem of the image that was sent. */
export interface ImageForm {
  readonly target: ImageTarget;
  readonly record: CatalogRecord;
  readonly problem?: string;
  readonly url?: string;
}
interface AddImagePage extends ImageForm {
  /** Covers of a work's editions, which the work can use too. */
  readonly others: readonly number[];
  /** Hosts from which images may be fetched. */
  readonly hosts: readonly string[];
}

function addImagePage(what: AddImagePage): Reply {
  const { target, record, problem, others } = what;
  const { kind } = target;
  const [present] = imagesOf(record, kind);
  const body = markup`${wayBack(target, record, "add")}
${errorSummary(
  problem === undefined ? [] : [{ name: "file", message: markup`<span lang="en">${problem}</span>` }],
)}
${present !== undefined && markup`<p>${image(target, present, say(IMAGE_WORDS[kind.image].present))}</p>`}
${uploadForm(what)}
${kind.noun === "author" && knowledgeBase(record)}
${others.length > 0 && choiceForm(what)}`;
  return page({
    title: say(IMAGE_WORDS[kind.image].addTo, { title: nameOf(record) }),
    body,
    status: problem === undefined ? 200 : 400,
  });
}

function uploadForm({ target: { key, kind }, hosts, url = "" }: AddImagePage): Markup {
  return markup`<form method="post" action="${key}/add-${kind.image}" enctype="multipart/form-data" class="record">
<div class="card"><label for="file">${say("covers.file")}</label>
<p class="hint" id="file-hint">${say("covers.file_hint")} ${say("covers.drop")}</p>
<input type="file" id="file" name="file" accept=".jpg,.jpeg,.gif,.png,.webp" aria-describedby="file-hint" data-drop="dropped">
<p id="dropped" role="status"></p></div>
${field({
  name: "url",
  label: say("covers.address"),
  type: "url",
  value: url,
  hint: say("covers.address_hint", { hosts: hosts.join(", ") }),
})}
<p><button class="primary">${say(IMAGE_WORDS[kind.image].add)}</button></p></form>`;
}

/** Returns a link to the Wikidata entry of an author, which may have a photo; undefined if the record names none. */
function knowledgeBase(record: CatalogRecord): Markup | undefined {
  const { remote_ids: ids } = record;
  const entry = isObject(ids) ? textOf(ids["wikidata"]) : undefined;
  if (entry === undefined || !/^Q\d{1,15}$/.test(entry)) return undefined;
  return markup`<p>${link(`https://www.wikidata.org/wiki/${entry}`, say("covers.wikidata"))}</p>`;
}

function choiceForm({ target, others }: AddImagePage): Markup {
  const { key, kind } = target;
  const choices = others.map(
    (
      id,
    ) => markup`<p class="check"><input type="radio" name="coverid" value="${id}" id="cover-${id}" required>
<label for="cover-${id}">${image(target, id, "")} ${say("covers.cover")} ${id}</label></p>`,
  );
  return markup`<h2>${say("covers.editions")}</h2>
<form method="post" action="${key}/add-${kind.image}">
<fieldset><legend>${say("covers.choose")}</legend>${choices}</fieldset>
<p><button class="primary">${say("covers.take")}</button></p></form>`;
}

/** `GET /books/OL1M/add-cover`, `/authors/OL1A/add-photo`: form for logged-in patrons; JSON of images for programs. */
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

/** Renders the form, with the problem of the image that was sent if there is one. */
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
