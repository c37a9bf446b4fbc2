import * as z from "zod";
import { homeBooks } from "../../browsing/home-books.ts";
import { baseUrl } from "../../context.ts";
import { operation } from "../../operation.ts";
import { homePage } from "../../pages/home.ts";
import { REVALIDATE, json } from "../../reply.ts";
import { NAME, VERSION } from "../../version.ts";
import { wantsHtml } from "../../wants-html.ts";

/** How long others may keep the first page, in seconds. */
const HOME_SECONDS = 60;

/** `GET /`: the first page for people; for programs what this is and where its description stands. */
export const home = operation({
  id: "home",
  summary: "Name, version and where the documentation is; a page for people",
  tag: "service",
  keep: { isolate: 5, edge: 30 },
  responses: {
    200: {
      description: "The service; a page for people",
      schema: z.object({ name: z.string(), version: z.string(), documentation: z.string() }),
      also: ["text/html"],
    },
  },
  async handle(_input, context) {
    if (wantsHtml(context.request)) {
      // The same for everybody.
      const cacheControl = `public, max-age=${HOME_SECONDS}`;
      return homePage({ trending: await homeBooks(context), cacheControl });
    }
    const body = { name: NAME, version: VERSION, documentation: `${baseUrl(context)}/docs` };
    return json(body, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } });
  },
});
