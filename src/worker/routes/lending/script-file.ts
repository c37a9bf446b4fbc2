import * as z from "zod";
import { notFound } from "../../errors.ts";
import { SCRIPT_SECONDS, isKnownScript, scriptText } from "../../links/script-source.ts";
import { operation } from "../../operation.ts";

/** `GET /cdn/archive.org/donate.js`: a script of another site that pages of clients ask for here (lookup.md 17.1). */
export const scriptFile = operation({
  id: "scriptFile",
  summary: "A script of another site, or an empty one in its place",
  tag: "lending",
  path: { archive_host: z.string(), filename: z.string() },
  responses: {
    200: { description: "The script", contentType: "text/javascript" },
    404: { description: "No such script can be asked for" },
    502: { description: "The other site does not send it" },
  },
  async handle({ path: { archive_host: host, filename } }, context) {
    if (!isKnownScript(context, `${host}/${filename}`)) throw notFound();
    // Q267: empty unless the service is told to fetch them.
    return {
      status: 200,
      body: await scriptText(context, host, filename),
      contentType: "text/javascript; charset=utf-8",
      cacheControl: `public, max-age=${SCRIPT_SECONDS}`,
      headers: { "X-Content-Type-Options": "nosniff" },
    };
  },
});
