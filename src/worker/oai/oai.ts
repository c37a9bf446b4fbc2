import * as z from "zod";
import { idOfKey } from "../../catalog/key-numbers.ts";
import { type XmlElement, element } from "../../catalog/xml.ts";
import { type HarvestedRow, readHarvestedRow } from "../../db/history/harvest.ts";
import { bodyText } from "../http/bytes.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { answer, errorElement, identifierPrefix } from "./answer.ts";
import { type Arguments, type Verb, argumentsOf, verbOf } from "./arguments.ts";
import { OaiError } from "./errors.ts";
import { readListed } from "./harvest.ts";
import { identify } from "./identify.ts";
import { listRecords, listSets, recordElement } from "./lists.ts";
import { listedFormats, metadataWriter } from "./metadata.ts";

/** Largest form that is read, in bytes: more than all arguments of a verb have. */
const FORM_BYTES = 65_536;

const VERBS: Readonly<Record<Verb, (given: Arguments, context: RequestContext) => Promise<XmlElement>>> = {
  Identify: (_given, context) => identify(context),
  async ListMetadataFormats(given, context) {
    const identifier = given.get("identifier");
    if (identifier !== undefined) await identified(identifier, context);
    return element("ListMetadataFormats", listedFormats());
  },
  ListSets: listSets,
  async GetRecord(given, context) {
    const write = metadataWriter(given.get("metadataPrefix") ?? "");
    const listed = await readListed([await identified(given.get("identifier") ?? "", context)], context);
    const records = listed.map((record) => recordElement(record, { write, set: undefined }, context));
    return element("GetRecord", records);
  },
  ListIdentifiers: (given, context) => listRecords("ListIdentifiers", given, context),
  ListRecords: (given, context) => listRecords("ListRecords", given, context),
};

/** The record that an identifier names. */
async function identified(identifier: string, context: RequestContext): Promise<HarvestedRow> {
  const prefix = identifierPrefix(context);
  const number = identifier.startsWith(prefix) ? identifier.slice(prefix.length) : "";
  const folder = number.endsWith("M") ? "books" : "works";
  const id = idOfKey(`/${folder}/${number}`, context.settings.RECORD_PREFIX);
  const row = id === undefined ? undefined : await readHarvestedRow(catalogReader(context), id);
  if (row === undefined) throw new OaiError("idDoesNotExist", "There is no record of that identifier.");
  return row;
}

async function answered(sent: URLSearchParams, context: RequestContext): Promise<Reply> {
  let asked: Readonly<Record<string, string>> = {};
  try {
    const verb = verbOf(sent);
    const given = argumentsOf(verb, sent);
    // What is no question of the protocol is not repeated (OAI-PMH 2.0, 3.2).
    const content = VERBS[verb](given, context);
    asked = { verb, ...Object.fromEntries(given) };
    return answer(asked, await content, context);
  } catch (error) {
    if (!(error instanceof OaiError)) throw error;
    return answer(error.code === "badArgument" ? {} : asked, errorElement(error), context);
  }
}

const SHARED = {
  summary: "The catalog for harvesters (OAI-PMH 2.0)",
  tag: "lookup",
  responses: {
    200: { description: "What the verb asks for, or an error of the protocol", contentType: "text/xml" },
    503: { description: "Too many requests, or the index does not answer" },
  },
};

/** `GET /oai`: all six verbs of OAI-PMH. */
export const oai = operation({
  ...SHARED,
  id: "oai",
  // What is wrong with them the protocol says itself.
  query: Object.fromEntries(
    ["verb", "identifier", "metadataPrefix", "from", "until", "set", "resumptionToken"].map((name) => [
      name,
      z.string().optional(),
    ]),
  ),
  handle: (_input, context) => answered(context.url.searchParams, context),
});

/** `POST /oai`: the same by a form. */
export const oaiForm = operation({
  ...SHARED,
  id: "oaiForm",
  body: { contentType: "application/x-www-form-urlencoded", description: "The arguments of `GET /oai`" },
  inReadOnly: true,
  handle: async (_input, context) =>
    answered(new URLSearchParams(await bodyText(context.request, FORM_BYTES)), context),
});
