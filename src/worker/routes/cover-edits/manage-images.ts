import { arrangeImages } from "../../covers/editing/change-images.ts";
import { imageRecord } from "../../covers/editing/find-record.ts";
import { asksForPage, imagesReply, namesOf, targetOf } from "../../covers/editing/image-operations.ts";
import { type ImageKind, AUTHOR, EDITION, WORK } from "../../covers/editing/kinds.ts";
import { wantedImages } from "../../covers/editing/manage-form.ts";
import { readForm } from "../../editing/read-form.ts";
import { operation } from "../../http/operation.ts";
import { redirect } from "../../http/reply.ts";

/** `POST /books/OL1M/manage-covers`: gives an edition these covers in this order (lookup.md 7). */
export const manageEditionCovers = manageOperation(EDITION);
/** `POST /works/OL1W/manage-covers` */
export const manageWorkCovers = manageOperation(WORK);
/** `POST /authors/OL1A/manage-photos` */
export const manageAuthorPhotos = manageOperation(AUTHOR);

function manageOperation(kind: ImageKind) {
  const names = namesOf(kind);
  return operation({
    id: `manage${names.noun}${names.images}`,
    summary: `Gives ${names.one} these ${kind.images} in this order`,
    tag: "covers",
    path: names.path,
    body: {
      contentType: "application/x-www-form-urlencoded",
      description: "`image` several times: the numbers to be kept, `-`, and whatever is to go",
    },
    responses: {
      200: { description: "Saved, for programs", schema: names.schema },
      303: { description: `Saved: people are led to the ${kind.images}` },
      403: { description: "Not allowed to change the record" },
      404: { description: `No such ${kind.noun}` },
      422: { description: "No `-` among the images, or something that is no number" },
    },
    async handle({ path }, context) {
      const target = targetOf(kind, path, context);
      await imageRecord(context.stores.catalog.withSession("first-primary"), target);
      const images = await arrangeImages(context, target, wantedImages(await readForm(context)));
      if (asksForPage(context)) return redirect(303, `${target.key}/manage-${kind.images}`);
      return imagesReply(target, images);
    },
  });
}
