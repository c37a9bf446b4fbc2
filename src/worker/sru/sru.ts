import { DocumentsTooLarge } from "../../db/records/whole-documents.ts";
import { element } from "../../catalog/xml.ts";
import { Diagnostic } from "../../search/cql/diagnostic.ts";
import { CarrelError } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, NO_STORE } from "../http/reply.ts";
import { explain } from "./explain.ts";
import { type SruParameters, operationOf, sruParameters, versionOf, warningsOf } from "./parameters.ts";
import { diagnosticsElement, sruReply } from "./protocol.ts";
import { searchRetrieve } from "./retrieve.ts";
import { scan } from "./scan.ts";

const described = {
  summary: "Works by a query of CQL (SRU 1.1, 1.2 and 2.0)",
  tag: "search",
  responses: {
    200: {
      description: "Records, terms, or what can be asked; what is wrong is told by diagnostics",
      contentType: "application/xml",
    },
    503: { description: "The index does not answer", contentType: "application/xml" },
  },
};

/** `GET /sru`: searchRetrieve, scan and explain. */
export const sruGet = operation({
  ...described,
  id: "sru",
  query: sruParameters,
  handle: ({ query }, context) => answered(query, context),
});

/** `POST /sru`: the same with the parameters in a form. */
export const sruPost = operation({
  ...described,
  id: "sruForm",
  form: sruParameters,
  inReadOnly: true,
  handle: ({ form }, context) => answered(form, context),
});

const RESPONSES = {
  searchRetrieve: "searchRetrieveResponse",
  scan: "scanResponse",
  explain: "explainResponse",
} as const;
const OPERATIONS = { searchRetrieve, scan, explain };

/** The answer, or the diagnostic that is told in its place (Q596). */
async function answered(parameters: SruParameters, context: RequestContext): Promise<Reply> {
  let name: keyof typeof OPERATIONS = "searchRetrieve";
  try {
    name = operationOf(parameters);
    const warnings = warningsOf(parameters, context.url.searchParams.keys());
    return await OPERATIONS[name](parameters, warnings, context);
  } catch (error) {
    const known = diagnosticOf(error);
    if (known === undefined) throw error;
    const version = versionOf(parameters);
    const parts = [
      ...(name === "searchRetrieve" ? [element("numberOfRecords", "0")] : []),
      ...diagnosticsElement([known], version),
    ];
    const failed = error instanceof CarrelError ? { status: error.status, headers: error.headers } : {};
    return sruReply(RESPONSES[name], { version, parts }, { cacheControl: NO_STORE, ...failed });
  }
}

/** The diagnostic that an error is told by; undefined for one that is told as everywhere. */
function diagnosticOf(error: unknown): Diagnostic | undefined {
  if (error instanceof Diagnostic) return error;
  if (error instanceof DocumentsTooLarge) return new Diagnostic(70, "fewer records at once are answered");
  return error instanceof CarrelError && error.status === 503 ? new Diagnostic(2, error.message) : undefined;
}
