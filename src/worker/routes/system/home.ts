import * as z from "zod";
import { baseUrl } from "../../context.ts";
import { operation } from "../../operation.ts";
import { REVALIDATE, json } from "../../reply.ts";
import { NAME, VERSION } from "../../version.ts";

/** `GET /`: what this is and where its description stands. */
export const home = operation({
  id: "home",
  summary: "Name, version and where the documentation is",
  tag: "service",
  responses: {
    200: {
      description: "The service",
      schema: z.object({ name: z.string(), version: z.string(), documentation: z.string() }),
    },
  },
  handle: (_input, context) =>
    json(
      { name: NAME, version: VERSION, documentation: `${baseUrl(context)}/docs` },
      { cacheControl: REVALIDATE },
    ),
});
