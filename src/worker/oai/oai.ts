import * as z from "zod";
import { idOfKey } from "../../catalog/key-numbers.ts";
import { type SerializedElement, element } from "../../catalog/xml.ts";
import { type HarvestedRow, readFirstChange, readHarvestedRow } from "../../db/history/harvest.ts";
import { readTarget } from "../../db/redirects.ts";
import { isBook } from "../http/book-formats.ts";
import { bodyText } from "../http/bytes.ts";
import { type RequestContext, baseUrl, catalogReader, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { serviceAddress } from "../platform/mail.ts";
import { readListedRecords } from "./harvest.ts";
import { listRecords, listSets } from "./oai-lists.ts";
import {
  type Arguments,
  type Verb,
  OaiError,
  argumentsOf,
  datestampOf,
  utcTextOf,
  verbOf,
} from "./oai-request.ts";
import {
  makeFormats,
  identifierPrefixOf,
  metadataWriterOf,
  makeOaiReply,
  oaiUrlOf,
  renderOaiRecord,
} from "./oai-response.ts";

const SHARED = {
  summary: "Harvest the catalog (OAI-PMH 2.0)",
  tag: "lookup",
  responses: {
    200: { description: "Response to the verb, or a protocol error", contentType: "text/xml" },
    503: { description: "Too many requests, or the index is unavailable" },
  },
};

export const oai = operation({
  ...SHARED,
  id: "oai",
  // Described only: the protocol has its own errors for invalid values.
  query: Object.fromEntries(
    ["verb", "identifier", "metadataPrefix", "from", "until", "set", "resumptionToken"].map((name) => [
      name,
      z.string().optional(),
    ]),
  ),
  handle: (_input, context) => respond(context.url.searchParams, context),
});

/** Largest form, in bytes: more than all arguments of a verb have. */
const FORM_BYTES = 65_536;

export const oaiForm = operation({
  ...SHARED,
  id: "oaiForm",
  body: { contentType: "application/x-www-form-urlencoded", description: "Arguments of `GET /oai`" },
  inReadOnly: true,
  handle: async (_input, context) =>
    respond(new URLSearchParams(await bodyText(context.request, FORM_BYTES)), context),
});

async function respond(parameters: URLSearchParams, context: RequestContext): Promise<Reply> {
  let request: Readonly<Record<string, string>> = {};
  try {
    const verb = verbOf(parameters);
    const values = argumentsOf(verb, parameters);
    const content = VERBS[verb](values, context);
    // The request element has no attributes if verb or arguments are invalid (OAI-PMH 2.0, 3.2).
    request = { verb, ...Object.fromEntries(values) };
    return makeOaiReply(request, await content, context);
  } catch (error) {
    if (!(error instanceof OaiError)) throw error;
    const { code, message } = error;
    return makeOaiReply(code === "badArgument" ? {} : request, element("error", message, { code }), context);
  }
}

const VERBS: Readonly<
  Record<Verb, (values: Arguments, context: RequestContext) => Promise<SerializedElement>>
> = {
  Identify: (_values, context) => identify(context),
  async ListMetadataFormats(values, context) {
    const identifier = values.get("identifier");
    if (identifier !== undefined) await findRecord(identifier, context);
    return element("ListMetadataFormats", makeFormats());
  },
  ListSets: listSets,
  async GetRecord(values, context) {
    const write = metadataWriterOf(values.get("metadataPrefix") ?? "");
    const row = await findRecord(values.get("identifier") ?? "", context);
    const catalog = catalogReader(context);
    // Q682: a merged record is the one that it has become, which has another identifier; lists report its deletion.
    const target = row.type === "/type/redirect" ? await readTarget(catalog, row.key) : undefined;
    const id = idOfKey(target ?? "", context.settings.RECORD_PREFIX);
    const merged = id === undefined ? undefined : await readHarvestedRow(catalog, id);
    const listed = merged !== undefined && isBook(merged) ? merged : row;
    const records = await Array.fromAsync(readListedRecords([listed], context));
    return element(
      "GetRecord",
      records.map((record) => renderOaiRecord(record, { write, set: undefined }, context)),
    );
  },
  ListIdentifiers: (values, context) => listRecords("ListIdentifiers", values, context),
  ListRecords: (values, context) => listRecords("ListRecords", values, context),
};

/** Finds the record with an identifier. Throws idDoesNotExist. */
async function findRecord(identifier: string, context: RequestContext): Promise<HarvestedRow> {
  const prefix = identifierPrefixOf(context);
  const olid = identifier.startsWith(prefix) ? identifier.slice(prefix.length) : "";
  const folder = olid.endsWith("M") ? "books" : "works";
  const id = idOfKey(`/${folder}/${olid}`, context.settings.RECORD_PREFIX);
  const row = id === undefined ? undefined : await readHarvestedRow(catalogReader(context), id);
  if (row === undefined) throw new OaiError("idDoesNotExist", "oai.identifier");
  return row;
}

const IDENTIFIER_NAMESPACE = "http://www.openarchives.org/OAI/2.0/oai-identifier";
/** Repository names that the identifier scheme allows. */
const DOMAIN = /^[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)+$/i;

async function identify(context: RequestContext): Promise<SerializedElement> {
  const first = await readFirstChange(catalogReader(context));
  const host = new URL(baseUrl(context)).hostname;
  const { name } = await context.site();
  const elements = {
    // Q803: a name that the administrators set, or else the host.
    repositoryName: name === context.settings.SITE_NAME && host !== "localhost" ? host : name,
    baseURL: oaiUrlOf(context),
    protocolVersion: "2.0",
    // Every domain has a postmaster (RFC 5321, 4.5.1).
    adminEmail:
      serviceAddress(context.settings) ?? `postmaster@${host.includes(".") ? host : `${host}.invalid`}`,
    earliestDatestamp: first === undefined ? utcTextOf(context.now) : datestampOf(first),
    deletedRecord: "persistent",
    granularity: "YYYY-MM-DDThh:mm:ssZ",
  };
  const scheme = {
    scheme: "oai",
    repositoryIdentifier: host,
    delimiter: ":",
    sampleIdentifier: `${identifierPrefixOf(context)}${context.settings.RECORD_PREFIX}1M`,
  };
  const namespaces = {
    xmlns: IDENTIFIER_NAMESPACE,
    "xsi:schemaLocation": `${IDENTIFIER_NAMESPACE} http://www.openarchives.org/OAI/2.0/oai-identifier.xsd`,
  };
  const identifier = element("oai-identifier", childrenOf(scheme), namespaces);
  return element("Identify", [
    ...childrenOf(elements),
    ...(DOMAIN.test(host) ? [element("description", [identifier])] : []),
  ]);
}

function childrenOf(texts: Readonly<Record<string, string>>): SerializedElement[] {
  return Object.entries(texts).map(([name, text]) => element(name, text));
}
