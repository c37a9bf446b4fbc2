import * as z from "zod";
import { idOfKey } from "../../catalog/key-numbers.ts";
import { revisionOf, viewOf } from "../../db/records/records.ts";
import { FORMAT_NAMES } from "../../export/formats.ts";
import { authenticationRequired, notAcceptable, recordNotFound } from "../http/errors.ts";
import { type AnyOperation, type Parameters, type RequestContext, catalogReader } from "../http/operation.ts";
import { digitsOf } from "../http/parameters.ts";
import { type Reply, redirect } from "../http/reply.ts";
import {
  type RecordParameters,
  NO_SUCH_FORM,
  RECORD_FORMS,
  RECORD_CACHE,
  addressWithout,
  jsonReply,
  recordAnswer,
  recordParameters,
  yamlReply,
  authorSchema,
  editionSchema,
  workSchema,
} from "./record-answer.ts";
import { hasParts } from "./part-parameters.ts";
import { type RecordPath, recordPath, withoutSlug } from "../http/paths.ts";
import { twoViews } from "../http/views.ts";

const PREFERENCES = /^\/people\/[^/]+\/preferences$/;

const recordNumber = digitsOf("record");

export const readAnyRecord = recordOperation("readRecord", "Get a record of any type, or its history", {
  path: { key: z.string().describe("Key with an optional suffix, such as `works/OL1W.json`") },
});
/** `/works/OL1W/Some_Title`: the page for people, the record as JSON for programs. */
export const bookPage = recordOperation("bookPage", "Show the page of an edition", {
  path: { edition_id: recordNumber },
});
export const workPage = recordOperation("workPage", "Show the page of a work", {
  path: { work_id: recordNumber },
});
export const authorPage = recordOperation("authorPage", "Show the page of an author", {
  path: { author_id: recordNumber },
});
/** Route aliases required by the interface. */
export const readEdition = recordOperation("readEdition", "Get an edition", {
  path: { edition_id: recordNumber },
  schema: editionSchema,
});
export const readWork = recordOperation("readWork", "Get a work", {
  path: { work_id: recordNumber },
  schema: workSchema,
});
export const readAuthor = recordOperation("readAuthor", "Get an author", {
  path: { author_id: recordNumber },
  schema: authorSchema,
});
/** Every name under `/publishers/` that is not a record is a page of works. */
export const readPublisher = recordOperation("readPublisher", "Get a publisher's record", {
  path: { publisher_id: recordNumber },
});
export const readEditionRdf = recordOperation("readEditionRdf", "Export an edition as RDF", {
  path: { edition_id: recordNumber },
  schema: editionSchema,
});

export const exportEdition = recordOperation("exportEdition", "Export an edition", {
  path: { edition_id: recordNumber, format: z.enum(FORMAT_NAMES) },
});
export const exportWork = recordOperation("exportWork", "Export a work", {
  path: { work_id: recordNumber, format: z.enum(FORMAT_NAMES) },
});
export const exportAuthor = recordOperation("exportAuthor", "Export an author as JSON-LD", {
  path: { author_id: recordNumber },
});

function recordOperation(
  id: string,
  summary: string,
  { path, schema }: { path: Parameters; schema?: z.ZodType },
): AnyOperation {
  return twoViews({
    id,
    summary,
    tag: "records",
    path,
    query: recordParameters,
    cache: RECORD_CACHE,
    responses: {
      200: {
        description: "Record, including redirects and deleted records; HTML page for browsers",
        schema: recordAnswer(schema),
        also: RECORD_FORMS,
      },
      301: { description: "Redirect to the canonical address of the record" },
      303: { description: "Redirect to the edit form, or to a valid mode or revision" },
      401: { description: "Preferences require login" },
      404: { description: "Record or revision not found" },
      ...NO_SUCH_FORM,
    },
    asJson: ({ query: parameters }, context) => recordReply(parameters, context),
    asPage: ({ query: parameters }, context) => showRecordPage(parameters, context),
  });
}

/** Shows the page of a record, of its history or of a comparison. Other forms and modes are those of programs. */
export async function showRecordPage(parameters: RecordParameters, context: RequestContext): Promise<Reply> {
  const path = recordPath(context.url.pathname, context.request.headers.get("Accept"));
  const { m = "" } = parameters;
  if (path.encoding !== undefined || PREFERENCES.test(path.key)) return recordReply(parameters, context);
  if (m === "" || m === "view") return (await import("./read-page.ts")).readPage(path, parameters, context);
  const key = withoutSlug(path.key, context.settings.RECORD_PREFIX);
  if (m === "history") return (await import("./history.ts")).historyPage(key, parameters, context);
  if (m === "diff")
    return (await import("./history.ts")).readDiff({ key, isPage: true }, parameters, context);
  return recordReply(parameters, context);
}

/** Answers a program. Imports what only some forms need, because most clients ask for the JSON of the record. */
export async function recordReply(parameters: RecordParameters, context: RequestContext): Promise<Reply> {
  const { url, request, settings } = context;
  const path = recordPath(url.pathname, request.headers.get("Accept"));
  if (PREFERENCES.test(path.key)) throw authenticationRequired("Session");
  const { m = "" } = parameters;
  if (m === "" || m === "view") return viewReply(path, parameters, context);
  const { encoding } = path;
  const key = withoutSlug(path.key, settings.RECORD_PREFIX);
  switch (m) {
    case "history":
    case "diff": {
      if (encoding !== "json" && encoding !== undefined) throw notAcceptable();
      const { readDiff, readRecordHistory } = await import("./history.ts");
      return m === "history"
        ? readRecordHistory(key, parameters, context)
        : readDiff({ key, isPage: false }, parameters, context);
    }
    case "edit": {
      // Only editions, works and authors have a form.
      if (encoding !== undefined || idOfKey(key, settings.RECORD_PREFIX) === undefined) throw notAcceptable();
      const form = new URL(url);
      form.pathname += "/edit";
      return redirect(303, addressWithout(form, "m"));
    }
    // Q14: no such mode in this form.
    case "permission":
      throw notAcceptable();
    default:
      return redirect(303, addressWithout(url, "m"));
  }
}

async function viewReply(
  path: RecordPath,
  parameters: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const { encoding, suffix } = path;
  if (encoding === undefined) {
    const { readAtAddress } = await import("./at-address.ts");
    return readAtAddress(path, parameters, context);
  }
  const key = withoutSlug(path.key, context.settings.RECORD_PREFIX);
  // Q17: OPDS is a known suffix, but records have no such form.
  if (encoding === "opds") throw recordNotFound(key);
  // Q16: forms that include other records always show the latest revision.
  const revision = encoding === "json" || encoding === "yml" ? parameters.v : undefined;
  const withParts = encoding === "json" && hasParts(parameters);
  const { readParts } = withParts ? await import("./parts.ts") : {};
  // The latest revision comes with its parts.
  const isEarly = withParts && revision === undefined && (parameters.expand ?? []).length > 0;
  const early = isEarly ? await readParts?.(parameters, { keys: [key] }, context) : undefined;
  const row = early ? early.rowOf(key) : await revisionOf(catalogReader(context), key, revision);
  if (row === undefined) {
    const { findMovedKey } = await import("./at-address.ts");
    const target = await findMovedKey(key, context);
    if (target === undefined) throw recordNotFound(key);
    return redirect(301, target + suffix + context.url.search);
  }
  if (encoding === "json") {
    return jsonReply(
      row,
      parameters,
      early ?? (await readParts?.(parameters, { records: [viewOf(row)] }, context)),
    );
  }
  if (encoding === "yml") return yamlReply(row, parameters);
  if (encoding === "rdf") return (await import("./rdf-reply.ts")).rdfReply(row, context);
  const { makeFormatReply } = await import("../http/book-formats.ts");
  return makeFormatReply(row, encoding, context);
}
