import * as z from "zod";
import { notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";

/** The only scripts of another site that pages of clients ask for here (lookup.md 17.1), by host. */
const SCRIPTS = new Map([["archive.org", new Set(["donate.js", "athena.js"])]]);

/** `GET /cdn/archive.org/donate.js`: scripts that count visitors elsewhere; nothing is to be counted here (Q267). */
export const scriptFile = operation({
  id: "scriptFile",
  summary: "An empty script in the place of another site's",
  tag: "lending",
  path: { archive_host: z.string(), filename: z.string() },
  responses: {
    200: { description: "An empty script", contentType: "text/javascript" },
    404: { description: "No such script" },
  },
  handle({ path: { archive_host: host, filename } }) {
    if (SCRIPTS.get(host)?.has(filename) !== true) throw notFound();
    return {
      status: 200,
      body: "",
      contentType: "text/javascript; charset=utf-8",
      cacheControl: "public, max-age=86400",
    };
  },
});
