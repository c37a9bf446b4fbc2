import * as z from "zod";
import { type Reply, seeOther } from "../../http/reply.ts";
import { type AskedPreview, previewImport } from "../../import/preview.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { addressOf } from "../../ui/markup.ts";
import { previewPage } from "../../pages/import/preview-page.ts";
import { recordsByKey } from "../../../db/records/by-key.ts";
import { boolean } from "../../http/parameters.ts";
import { PREVIEW_REFUSALS } from "./answers.ts";

const parameters = {
  source: z.string().optional(),
  provider: z.string().default("amazon"),
  identifier: z.string().default(""),
};
const responses = { 200: { description: "The page", contentType: "text/html" }, ...PREVIEW_REFUSALS };

/** `GET /import/preview`: the page on which librarians look at what an import would do (import.md 4.2). */
export const importPreviewPage = operation({
  id: "importPreviewPage",
  summary: "Page: what the import of a record would do",
  tag: "import",
  query: parameters,
  responses,
  handle({ query }, context) {
    const asked = { ...query, save: false };
    const isFirst = asked.source === undefined && asked.identifier === "";
    return isFirst ? previewPage({ asked }) : shown(context, asked);
  },
});

/** `POST /import/preview`: the same, or with `save` the import itself, which leads to the book. */
export const importPreviewForm = operation({
  id: "importPreviewForm",
  summary: "Form: imports a record, or shows what that would do",
  tag: "import",
  form: { ...parameters, save: boolean().default(false) },
  responses: { ...responses, 303: { description: "To the imported book" } },
  handle: ({ form }, context) => shown(context, form),
});

async function shown(context: RequestContext, asked: AskedPreview): Promise<Reply> {
  const answer = await previewImport(context, asked);
  if (asked.save && answer.success) return seeOther(addressOf(answer.edition.key));
  const keys = answer.success
    ? (answer.edits ?? []).flatMap(({ key }) => (typeof key === "string" ? key : []))
    : [];
  const reader = context.stores.catalog.withSession("first-unconstrained");
  return previewPage({ asked, answer, stored: await recordsByKey(reader, keys) });
}
