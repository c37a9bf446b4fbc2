import { ResponseTooLarge } from "../../catalog/bytes.ts";
import { type SerializedElement, element } from "../../catalog/xml.ts";
import { type CqlIndex, CONTEXT_SETS, INDEXES, indexOf } from "../../search/cql/cql-indexes.ts";
import { Diagnostic } from "../../search/cql/diagnostic.ts";
import { parseIndexName } from "../../search/cql/cql-parser.ts";
import { listFieldIndexes } from "../../search/cql/cql-search.ts";
import { Failure } from "../http/failure.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { type Reply, NO_STORE } from "../http/reply.ts";
import { SRU_RECORDS, searchRetrieve } from "./retrieve.ts";
import { SCAN_TERMS, scan } from "./scan.ts";
import {
  type SruParameters,
  RECORD_SCHEMAS,
  VERSIONS,
  isEscaped,
  operationOf,
  sruParameters,
  versionOf,
  findSruWarnings,
} from "./sru-request.ts";
import { makeDiagnostics, renderSruRecord, makeSruReply } from "./sru-response.ts";
import { english } from "../../catalog/texts.ts";

const SHARED = {
  summary: "Search works with CQL (SRU 1.1, 1.2 and 2.0)",
  tag: "search",
  responses: {
    200: {
      description: "Records, terms or the server description; errors are diagnostics",
      contentType: "application/xml",
    },
    429: { description: "Too many requests", contentType: "application/xml" },
    503: { description: "Index unavailable", contentType: "application/xml" },
  },
};

export const sruGet = operation({
  ...SHARED,
  id: "sru",
  query: sruParameters,
  handle: ({ query }, context) => respond(query, context),
});

export const sruPost = operation({
  ...SHARED,
  id: "sruForm",
  query: sruParameters,
  form: sruParameters,
  inReadOnly: true,
  handle: ({ query, form }, context) => respond({ ...query, ...form }, context),
});

const RESPONSES = {
  searchRetrieve: "searchRetrieveResponse",
  scan: "scanResponse",
  explain: "explainResponse",
} as const;
const OPERATIONS = { searchRetrieve, scan, explain };

type Operation = keyof typeof OPERATIONS;

async function respond(parameters: SruParameters, context: RequestContext): Promise<Reply> {
  let name: Operation = "searchRetrieve";
  try {
    name = operationOf(parameters, context.request.method);
    const warnings = findSruWarnings(parameters, context.url.searchParams.keys());
    return await OPERATIONS[name](parameters, warnings, context);
  } catch (error) {
    return failureReply(error, parameters, name);
  }
}

/**
 * Turns a 405, 429 or 503 from before the routes, or the 422 of an unreadable body, into a response of SRU; undefined
 * for other errors.
 */
export function sruError(error: Failure, { searchParams }: URL): Reply | undefined {
  const failure = error.status === 422 ? new Diagnostic(7, "query") : error;
  if (failure === error && DIAGNOSTICS[error.status] === undefined) return undefined;
  return failureReply(failure, Object.fromEntries(searchParams), "searchRetrieve");
}

/** Makes the response with the diagnostic of an error (Q596). Throws errors that have none. */
function failureReply(error: unknown, parameters: SruParameters, name: Operation): Reply {
  const version = versionOf(parameters);
  const parts = [
    ...(name === "searchRetrieve" ? [element("numberOfRecords", "0")] : []),
    ...makeDiagnostics([diagnosticOf(error)], version),
  ];
  const http = error instanceof Failure ? { status: error.status, headers: error.headers } : {};
  return makeSruReply(RESPONSES[name], { version, parts }, { cacheControl: NO_STORE, ...http });
}

const DIAGNOSTICS: Readonly<Record<number, 2 | 4>> = { 405: 4, 429: 2, 503: 2 };

function diagnosticOf(error: unknown): Diagnostic {
  if (error instanceof Diagnostic) return error;
  if (error instanceof ResponseTooLarge) return new Diagnostic(70, english({ key: "too_large.response" }));
  if (!(error instanceof Failure)) throw error;
  const number = DIAGNOSTICS[error.status];
  if (number === undefined) throw error;
  return new Diagnostic(number, error.message);
}

const ZEEREX = "http://explain.z3950.org/dtd/2.0/";

/** `explain`: describes the service in ZeeRex. Throws a `Diagnostic`. */
async function explain(
  parameters: SruParameters,
  warnings: readonly Diagnostic[],
  context: RequestContext,
): Promise<Reply> {
  const version = versionOf(parameters);
  const record = { schema: ZEEREX, data: await explanation(context) };
  const parts = [
    renderSruRecord(record, { version, isText: isEscaped(parameters) }),
    ...makeDiagnostics(warnings, version),
  ];
  return makeSruReply("explainResponse", { version, parts }, { cacheControl: "public, max-age=60" });
}

async function explanation(context: RequestContext): Promise<SerializedElement> {
  const site = await context.site();
  const { hostname, port, protocol, pathname } = new URL(`${baseUrl(context)}/sru`);
  const usualPort = protocol === "https:" ? "443" : "80";
  const setsByUri = new Map([...CONTEXT_SETS].toReversed().map(([name, uri]) => [uri, name]));
  const own = listFieldIndexes().map((name) => indexOf(parseIndexName(`carrel.${name}`)));
  // Some names are aliases of others.
  const indexes = [...INDEXES, ...new Map(own.map((index) => [index.title, index])).values()];
  const [{ name: schema }] = RECORD_SCHEMAS;
  return element(
    "explain",
    [
      element(
        "serverInfo",
        [
          element("host", hostname),
          element("port", port === "" ? usualPort : port),
          element("database", pathname.slice(1)),
        ],
        {
          protocol: "SRU",
          version: VERSIONS.at(-1) ?? "",
          transport: protocol.slice(0, -1),
          method: "GET POST",
        },
      ),
      element("databaseInfo", [
        element("title", site.name, { lang: "en", primary: "true" }),
        element("description", "Works of the catalog", { lang: "en", primary: "true" }),
      ]),
      element("indexInfo", [
        ...[...setsByUri].toReversed().map(([identifier, name]) => element("set", [], { name, identifier })),
        ...indexes.map(indexElement),
      ]),
      element(
        "schemaInfo",
        RECORD_SCHEMAS.map(({ name, identifier, title }) =>
          element("schema", [element("title", title, { lang: "en" })], {
            name,
            identifier,
            sort: "false",
            retrieve: "true",
          }),
        ),
      ),
      element("configInfo", [
        element("default", String(SRU_RECORDS.default), { type: "numberOfRecords" }),
        element("default", schema, { type: "retrieveSchema" }),
        element("default", "cql", { type: "contextSet" }),
        element("default", "cql.serverChoice", { type: "index" }),
        element("default", "=", { type: "relation" }),
        element("setting", String(SRU_RECORDS.max), { type: "maximumRecords" }),
        element("setting", String(SCAN_TERMS.max), { type: "maximumTerms" }),
        ...Object.entries(SUPPORTED).flatMap(([type, values]) =>
          values.map((value) => element("supports", value, { type })),
        ),
      ]),
    ],
    { xmlns: ZEEREX },
  );
}

const RELATIONS = "= == <> < <= > >= exact adj all any within".split(" ");
const MODIFIERS =
  "relevant ignoreCase ignoreAccents stem word string isoDate number uri masked unmasked".split(" ");
const SUPPORTED = {
  relation: RELATIONS,
  relationModifier: MODIFIERS,
  booleanModifier: ["unit=word", "distance=1", "ordered", "unordered"],
  maskingCharacter: ["*"],
  proximity: [""],
  sort: [""],
  scan: [""],
};

function indexElement({ title, names, ...index }: CqlIndex): SerializedElement {
  const maps = names.map((name) => {
    const [set = "", local = ""] = name.split(".");
    return element("map", [element("name", local, { set })]);
  });
  return element("index", [element("title", title, { lang: "en" }), ...maps], {
    search: "true",
    scan: String(index.scan !== undefined),
    sort: String(index.sort !== undefined),
  });
}
