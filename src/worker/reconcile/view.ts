import * as z from "zod";
import { keyOfEntity, namedType } from "../../search/reconcile/entities.ts";
import { CarrelError } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { redirect } from "../http/reply.ts";
import { nameAddress, workAddress } from "../search/result-parts.ts";
import { smallPage } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { entitiesById } from "./found.ts";

const path = { id: z.string().describe("Id of an entity, such as OL1W or subject:love") };

/** `GET /reconcile/view/{id}`: to the page of an entity. */
export const viewEntity = operation({
  id: "reconcileView",
  summary: "The page of an entity by its id",
  tag: "search",
  path,
  responses: { 302: { description: "To the page" }, 404: { description: "No such id" } },
  handle({ path: { id } }, context) {
    return redirect(302, addressOf(id, context), { cacheControl: "public, max-age=3600" });
  },
});

/** `GET /reconcile/preview/{id}`: an entity as a small page for the pages of others. */
export const previewEntity = operation({
  id: "reconcilePreview",
  summary: "An entity as a small page",
  tag: "search",
  path,
  responses: {
    200: { description: "A small page", contentType: "text/html" },
    404: { description: "No such entity" },
  },
  async handle({ path: { id } }, context) {
    const entity = (await entitiesById([id], context)).get(id);
    if (entity === undefined) throw noEntity();
    const { name, description } = entity;
    return smallPage({
      title: name,
      body: markup`<h1><a href="${addressOf(id, context)}" target="_top">${name}</a></h1>
<p>${namedType(entity.type).name} ${entity.id}</p>
${description !== "" && markup`<p>${description}</p>`}`,
    });
  },
});

function addressOf(id: string, context: RequestContext): string {
  const key = keyOfEntity(id, context.settings.RECORD_PREFIX);
  if (key === undefined) throw noEntity();
  return key.startsWith("/subjects/") ? nameAddress(key) : workAddress(key);
}

function noEntity(): CarrelError {
  return new CarrelError(404, "not_found", { message: "No such entity" });
}
