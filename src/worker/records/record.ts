import * as z from "zod";
import { idOfKey } from "../../catalog/key-numbers.ts";
import { revisionOf } from "../../db/records/records.ts";
import { FORMAT_NAMES } from "../../export/formats.ts";
import { formatReply } from "../formats/books.ts";
import { wantsHtml } from "../http/accept.ts";
import { authenticationRequired, notAcceptable, recordNotFound } from "../http/errors.ts";
import {
  type AnyOperation,
  type Parameters,
  type RequestContext,
  catalogReader,
  operation,
} from "../http/operation.ts";
import { digitsOf } from "../http/parameters.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { readDiff } from "./diff.ts";
import { historyPage, readHistory } from "./history.ts";
import { rdfReply } from "./rdf.ts";
import { readPage } from "./read-page.ts";
import {
  NO_SUCH_FORM,
  type RecordParameters,
  RECORD_FORMS,
  RECORD_KEEP,
  jsonReply,
  recordAnswer,
  recordParameters,
  yamlReply,
} from "./record-answer.ts";
import { authorSchema, editionSchema, workSchema } from "./schemas.ts";
import { type RecordPath, addressWithout, elsewhere, recordPath, withoutSlug } from "./record-path.ts";

const PREFERENCES = /^\/people\/[^/]+\/preferences$/;

const recordNumber = digitsOf("record");

/** `GET <key>[.json|.yml|.rdf]`: a record of any type, in the form selected by `Accept` or the suffix. */
export const readAnyRecord = recordOperation("readRecord", "A record of any type, or its history", {
  path: { key: z.string().describe("Key of the record and suffix, such as `works/OL1W.json`") },
});
/** Route aliases required by the interface. */
export const readEdition = recordOperation("readEdition", "An edition", {
  path: { edition_id: recordNumber },
  schema: editionSchema,
});
export const readWork = recordOperation("readWork", "A work", {
  path: { work_id: recordNumber },
  schema: workSchema,
});
export const readAuthor = recordOperation("readAuthor", "An author", {
  path: { author_id: recordNumber },
  schema: authorSchema,
});
/** Record of type publisher; every other name under `/publishers/` is a page of its works. */
export const readPublisher = recordOperation("readPublisher", "A publisher's record", {
  path: { publisher_id: recordNumber },
});
export const readEditionRdf = recordOperation("readEditionRdf", "An edition as RDF", {
  path: { edition_id: recordNumber },
  schema: editionSchema,
});

/** Records in export formats: `GET /books/OL1M.bib` and its like. */
export const exportEdition = recordOperation("exportEdition", "An edition in a format of others", {
  path: { edition_id: recordNumber, format: z.enum(FORMAT_NAMES) },
});
export const exportWork = recordOperation("exportWork", "A work in a format of others", {
  path: { work_id: recordNumber, format: z.enum(FORMAT_NAMES) },
});
export const exportAuthor = recordOperation("exportAuthor", "An author as JSON-LD", {
  path: { author_id: recordNumber },
});

function recordOperation(
  id: string,
  summary: string,
  { path, schema }: { readonly path: Parameters; readonly schema?: z.ZodType },
): AnyOperation {
  return operation({
    id,
    summary,
    tag: "records",
    path,
    query: recordParameters,
    keep: RECORD_KEEP,
    responses: {
      200: {
        description: "The record, a redirect or deletion too; a page for people",
        schema: recordAnswer(schema),
        also: RECORD_FORMS,
      },
      301: { description: "The record's own address" },
      303: { description: "The same without a mode or revision that does not exist; the form of the record" },
      401: { description: "Preferences are for their patron" },
      404: { description: "No such record or revision" },
      ...NO_SUCH_FORM,
    },
    handle: ({ query: parameters }, context) => recordReply(parameters, context),
  });
}

/** Answers with the record in the request's path, in the form selected by suffix, `Accept` and parameters. */
export function recordReply(parameters: RecordParameters, context: RequestContext): Promise<Reply> | Reply {
  const path = recordPath(context.url.pathname, context.request.headers.get("Accept"));
  if (PREFERENCES.test(path.key)) throw authenticationRequired("Session");
  return mode(path, parameters, context);
}

function mode(
  path: RecordPath,
  parameters: RecordParameters,
  context: RequestContext,
): Promise<Reply> | Reply {
  switch (parameters.m) {
    case undefined:
    case "":
    case "view":
      return read(path, parameters, context);
    case "history":
      return history(path, parameters, context);
    case "diff":
      return readDiff({ key: keyForJson(path, context), isPage: isPage(path, context) }, parameters, context);
    case "edit":
      return toForm(path, context);
    // Q14: no such mode in this form.
    case "permission":
      throw notAcceptable();
    default:
      return redirect(303, addressWithout(context.url, "m"));
  }
}

function history(path: RecordPath, parameters: RecordParameters, context: RequestContext): Promise<Reply> {
  const key = keyForJson(path, context);
  return isPage(path, context)
    ? historyPage(key, parameters, context)
    : readHistory(key, parameters, context);
}

/** Returns the key of a mode that has JSON and a page. Throws 406 for any other form. */
function keyForJson({ encoding, key }: RecordPath, { settings }: RequestContext): string {
  if (encoding !== "json" && encoding !== undefined) throw notAcceptable();
  return withoutSlug(key, settings.RECORD_PREFIX);
}

function isPage({ encoding }: RecordPath, { request }: RequestContext): boolean {
  return encoding === undefined && wantsHtml(request);
}

/** Redirects to the form of an edition, work or author. Throws 406 for all other records. */
function toForm({ encoding, key }: RecordPath, { url, settings }: RequestContext): Reply {
  const bare = withoutSlug(key, settings.RECORD_PREFIX);
  if (encoding !== undefined || idOfKey(bare, settings.RECORD_PREFIX) === undefined) throw notAcceptable();
  const form = new URL(url);
  form.pathname += "/edit";
  return redirect(303, addressWithout(form, "m"));
}

async function read(path: RecordPath, parameters: RecordParameters, context: RequestContext): Promise<Reply> {
  const { encoding, suffix } = path;
  if (encoding === undefined) return readPage(path, parameters, context);
  const key = withoutSlug(path.key, context.settings.RECORD_PREFIX);
  // Q17: OPDS is known and has no form.
  if (encoding === "opds") throw recordNotFound(key);
  // Q16: forms that include other records always show the latest revision.
  const revision = encoding === "json" || encoding === "yml" ? parameters.v : undefined;
  const row = await revisionOf(catalogReader(context), key, revision);
  if (row === undefined) {
    const target = await elsewhere(key, context);
    if (target === undefined) throw recordNotFound(key);
    return redirect(301, target + suffix + context.url.search);
  }
  if (encoding === "json") return jsonReply(row, parameters);
  if (encoding === "yml") return yamlReply(row, parameters);
  return encoding === "rdf" ? rdfReply(row, context) : formatReply(row, encoding, context);
}
