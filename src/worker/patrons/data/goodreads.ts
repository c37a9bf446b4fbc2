import * as z from "zod";
import { IMPORT_BOOKS_MAX, readGoodreads } from "../../../catalog/patrons/goodreads.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { isForPeople, pageOrJson } from "../../http/accept.ts";
import { CarrelError } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { type Reply, privateJson, seeOther } from "../../http/reply.ts";
import { notify } from "../../ui/notice.ts";
import { say } from "../../ui/words.ts";
import { ownWriter } from "../reading/own-writer.ts";
import { IMPORT_BODY_BYTES, beginImport, importSchema, ownImport, readFile } from "./goodreads-import.ts";
import { goodreadsPage, importPage } from "./goodreads-page.ts";

const csvField = z.string().describe("The file, or its text");

/** `POST /account/import`: imports the books of a Goodreads export, in the queue (Q233). */
export const importOwn = operation({
  id: "importOwn",
  summary: "Take over a reading log",
  tag: "account",
  form: { csv: csvField },
  bodyBytes: IMPORT_BODY_BYTES,
  responses: {
    202: { description: "It has begun; /account/import.json tells how it gets on", schema: importSchema },
    303: { description: "For people: to the page of the import" },
    400: { description: "No such file" },
    403: { description: "The account may read only" },
    409: { description: "Another import is running" },
  },
  async handle({ form: { csv } }, context) {
    const { username } = (await ownWriter(context)).session;
    if (!isForPeople(context)) {
      return { ...privateJson(await beginImport(context, username, csv)), status: 202 };
    }
    const file = readGoodreads(csv);
    if (typeof file === "string") return again(context, username, file);
    try {
      await beginImport(context, username, csv);
    } catch (error) {
      if (error instanceof CarrelError && error.status === 409) return again(context, username, "running");
      throw error;
    }
    notify(context, "notice.import_begun");
    return seeOther("/account/import");
  },
});

const PROBLEMS = {
  empty: "import.empty",
  "no-columns": "import.no_columns",
  "too-many": "import.too_many",
  running: "import.running",
} as const;

/** Writes the page with the form again and the problem. */
async function again(
  context: RequestContext,
  username: string,
  problem: keyof typeof PROBLEMS,
): Promise<Reply> {
  const error = say(PROBLEMS[problem], { most: IMPORT_BOOKS_MAX });
  return importPage(await ownImport(context, username), { status: problem === "running" ? 409 : 400, error });
}

const book = z.record(z.string(), z.string());

/** `POST /account/import/goodreads`: shows the contents of the file, and changes nothing. */
export const previewGoodreads = operation({
  id: "previewGoodreads",
  summary: "Look at a Goodreads export",
  tag: "account",
  form: { csv: csvField },
  bodyBytes: IMPORT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "The books, by the columns of the file; for people a page",
      schema: z.object({ books: z.array(book), without_isbn: z.array(book) }),
      also: ["text/html"],
    },
    400: { description: "No such file" },
  },
  async handle({ form: { csv } }, context) {
    const { username } = await ownSession(context);
    if (!isForPeople(context)) {
      const { books, withoutIsbn } = readFile(csv);
      return { ...privateJson({ books, without_isbn: withoutIsbn }), headers: { Vary: "Accept" } };
    }
    const file = readGoodreads(csv);
    return typeof file === "string" ? again(context, username, file) : goodreadsPage(file, csv);
  },
});

/** `GET /account/import`: progress of the newest import; for people with the form for another one. */
export const importState = operation({
  id: "importState",
  summary: "State of the own import",
  tag: "account",
  responses: {
    200: {
      description: "The newest import, null when there was none; for people a page",
      schema: importSchema.nullable(),
      also: ["text/html"],
    },
  },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return pageOrJson(context, await ownImport(context, username), importPage);
  },
});
