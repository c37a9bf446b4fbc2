import { AnswerTooLarge } from "../../catalog/bytes.ts";
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
    429: { description: "Too many requests", contentType: "application/xml" },
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

type Operation = keyof typeof OPERATIONS;

async function answered(parameters: SruParameters, context: RequestContext): Promise<Reply> {
  let name: Operation = "searchRetrieve";
  try {
    name = operationOf(parameters);
    const warnings = warningsOf(parameters, context.url.searchParams.keys());
    return await OPERATIONS[name](parameters, warnings, context);
  } catch (error) {
    return refusal(error, parameters, name);
  }
}

/** A 405, 429 or 503, which stand in front of all routes, as SRU tells it; undefined for other errors. */
export function sruError(error: CarrelError, { searchParams }: URL): Reply | undefined {
  if (NUMBERS[error.status] === undefined) return undefined;
  return refusal(error, Object.fromEntries(searchParams), "searchRetrieve");
}

/** The diagnostic that is told in the place of an answer (Q596). Throws what is told as everywhere. */
function refusal(error: unknown, parameters: SruParameters, name: Operation): Reply {
  const version = versionOf(parameters);
  const parts = [
    ...(name === "searchRetrieve" ? [element("numberOfRecords", "0")] : []),
    ...diagnosticsElement([diagnosticOf(error)], version),
  ];
  const failed = error instanceof CarrelError ? { status: error.status, headers: error.headers } : {};
  return sruReply(RESPONSES[name], { version, parts }, { cacheControl: NO_STORE, ...failed });
}

/** Diagnostics by status. */
const NUMBERS: Readonly<Record<number, 2 | 4>> = { 405: 4, 429: 2, 503: 2 };

function diagnosticOf(error: unknown): Diagnostic {
  if (error instanceof Diagnostic) return error;
  if (error instanceof AnswerTooLarge) return new Diagnostic(70, "fewer records at once are answered");
  if (!(error instanceof CarrelError)) throw error;
  const number = NUMBERS[error.status];
  if (number === undefined) throw error;
  return new Diagnostic(number, error.message);
}
