import * as z from "zod";
import { readEditionCovers } from "../../../db/covers/read.ts";
import { type RequestContext, catalogReader, coversUrl, operation } from "../../http/operation.ts";
import { imageRecord } from "../../covers/editing/find-record.ts";
import { imagesOf } from "../../covers/editing/image-list.ts";
import { asksForPage, imagesReply, namesOf, targetOf } from "../../covers/editing/image-operations.ts";
import { type ImageKind, type ImageTarget, AUTHOR, EDITION, WORK } from "../../covers/editing/kinds.ts";
import { manageImagesPage } from "../../pages/covers/manage-images-page.ts";
import { requireAccess } from "../../http/access.ts";

/** `GET /books/OL1M/manage-covers`: the covers of an edition, to be chosen and ordered (lookup.md 7). */
export const manageEditionCoversPage = pageOperation(EDITION);
/** `GET /works/OL1W/manage-covers`: the same; those of its editions when it has none. */
export const manageWorkCoversPage = pageOperation(WORK);
/** `GET /authors/OL1A/manage-photos` */
export const manageAuthorPhotosPage = pageOperation(AUTHOR);

function pageOperation(kind: ImageKind) {
  const names = namesOf(kind);
  return operation({
    id: `manage${names.noun}${names.images}Page`,
    summary: `The ${kind.images} of ${names.one}`,
    tag: "covers",
    path: names.path,
    responses: {
      200: {
        description: "A page for people",
        schema: z.object({
          ...names.schema.shape,
          images: z.array(z.object({ id: z.int(), url: z.string() })).describe("Those that the page shows"),
        }),
        also: ["text/html"],
      },
      301: { description: "The record has become another one" },
      303: { description: "People log in first" },
      404: { description: `No such ${kind.noun}` },
    },
    async handle({ path }, context) {
      const target = targetOf(kind, path, context);
      const record = await imageRecord(catalogReader(context), target, `/manage-${kind.images}`);
      const own = imagesOf(record, kind);
      const images = own.length > 0 ? own : await othersOf(context, target);
      if (asksForPage(context)) {
        await requireAccess("session", context);
        return manageImagesPage({ target, record, images, areOthers: own.length < images.length });
      }
      const base = `${coversUrl(context)}/${kind.category}/id`;
      return imagesReply(target, own, { images: images.map((id) => ({ id, url: `${base}/${id}-M.jpg` })) });
    },
  });
}

/** Covers that stand for a work without any: those of its editions. */
async function othersOf(context: RequestContext, { key, kind }: ImageTarget): Promise<number[]> {
  return kind.noun === "work" ? readEditionCovers(catalogReader(context), key) : [];
}
