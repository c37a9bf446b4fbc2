import * as z from "zod";
import { baseUrl } from "../../context.ts";
import { openApiDocument } from "../../openapi/document.ts";
import { operation } from "../../operation.ts";
import { json } from "../../reply.ts";

/** `GET /openapi.json`: the description of this interface, made of the route table. */
export const openapi = operation({
  id: "openapi",
  summary: "Description of this interface (OpenAPI 3.1)",
  tag: "service",
  responses: { 200: { description: "OpenAPI document", schema: z.looseObject({}) } },
  handle(_input, context) {
    const options = { prefix: context.settings.RECORD_PREFIX, server: baseUrl(context) };
    return json(openApiDocument(context.routes, options), { cacheControl: "public, max-age=300" });
  },
});
