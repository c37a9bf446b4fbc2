import * as z from "zod";
import { operation } from "../../operation.ts";
import { staticFile } from "../../site/static-file.ts";

/** `GET /images/<path>`: the files of `/static/images/` under their shorter address (lookup.md 17.1). */
export const siteImage = operation({
  id: "siteImage",
  summary: "A picture of the site's pages",
  tag: "service",
  path: { path: z.string().describe("As below /static/images/") },
  responses: {
    200: {
      description: "The picture",
      contentType: "image/svg+xml",
      also: ["image/png", "image/gif", "image/jpeg"],
    },
    304: { description: "The client has it" },
    404: { description: "There is none" },
  },
  handle: (_input, context) => staticFile(context, `/static${context.url.pathname}`),
});
