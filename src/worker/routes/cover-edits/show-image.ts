import * as z from "zod";
import { catalogReader, coversUrl, operation } from "../../http/operation.ts";
import { imageRecord } from "../../covers/editing/find-record.ts";
import { namesOf, targetOf } from "../../covers/editing/image-operations.ts";
import { type ImageKind, AUTHOR, EDITION } from "../../covers/editing/kinds.ts";
import { NO_STORE, redirect } from "../../http/reply.ts";

/** `GET /books/OL1M/cover`: leads to the image (lookup.md 7). */
export const editionCover = showOperation(EDITION);
/** `GET /authors/OL1A/photo` */
export const authorPhoto = showOperation(AUTHOR);

function showOperation(kind: ImageKind) {
  const names = namesOf(kind);
  return operation({
    id: `${kind.noun}${names.image}`,
    summary: `Leads to the ${kind.image} of ${names.one}`,
    tag: "covers",
    path: names.path,
    query: { size: z.enum(["S", "M", "L"]).default("L") },
    responses: {
      301: { description: "The record has become another one" },
      302: { description: "The image" },
      404: { description: `No such ${kind.noun}` },
    },
    async handle({ path, query: { size } }, context) {
      const target = targetOf(kind, path, context);
      await imageRecord(catalogReader(context), target, `/${kind.image}${context.url.search}`);
      const address = `${coversUrl(context)}/${kind.category}/olid/${target.olid}-${size}.jpg`;
      return redirect(302, address, { cacheControl: NO_STORE });
    },
  });
}
