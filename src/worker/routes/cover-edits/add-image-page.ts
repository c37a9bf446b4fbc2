import type { CatalogRecord } from "../../../catalog/record.ts";
import { readEditionCovers } from "../../../db/covers/read.ts";
import { type RequestContext, catalogReader, operation } from "../../http/operation.ts";
import { imageRecord } from "../../covers/editing/find-record.ts";
import { imagesOf } from "../../covers/editing/image-list.ts";
import { asksForPage, imagesReply, namesOf, targetOf } from "../../covers/editing/image-operations.ts";
import { type ImageKind, type ImageTarget, AUTHOR, EDITION, WORK } from "../../covers/editing/kinds.ts";
import { addImagePage } from "../../pages/covers/add-image-page.ts";
import type { Reply } from "../../http/reply.ts";
import { requireAccess } from "../../http/access.ts";

/** `GET /books/OL1M/add-cover`: the form for people who are logged in; programs get what the record has (lookup.md 7). */
export const addEditionCoverForm = formOperation(EDITION);
/** `GET /works/OL1W/add-cover` */
export const addWorkCoverForm = formOperation(WORK);
/** `GET /authors/OL1A/add-photo` */
export const addAuthorPhotoForm = formOperation(AUTHOR);

function formOperation(kind: ImageKind) {
  const names = namesOf(kind);
  return operation({
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
  });
}

/** The form, perhaps with what was wrong with it. */
export async function addPage(
  context: RequestContext,
  what: {
    readonly target: ImageTarget;
    readonly record: CatalogRecord;
    readonly problem?: string;
    readonly url?: string;
  },
): Promise<Reply> {
  const { key, kind } = what.target;
  const own = new Set(imagesOf(what.record, kind));
  const others = kind.noun === "work" ? await readEditionCovers(catalogReader(context), key) : [];
  return addImagePage({
    ...what,
    others: others.filter((id) => !own.has(id)),
    hosts: context.settings.COVER_HOSTS,
  });
}
