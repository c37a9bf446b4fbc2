import { Buffer } from "node:buffer";
import * as z from "zod";
import { takeFitting, utf8Length } from "../../catalog/bytes.ts";
import { type SerializedElement, element, renderedElement, xmlText } from "../../catalog/xml.ts";
import { PAGE_BYTES } from "../../db/records/record-rows.ts";
import { isBook } from "../http/book-formats.ts";
import { signerOf } from "../http/cookie.ts";
import type { RequestContext } from "../http/operation.ts";
import { secretsOf } from "../http/session.ts";
import { readHarvestPage, readListedRecords } from "./harvest.ts";
import { type Arguments, type Verb, OaiError, RESUMPTION, spanOf } from "./oai-request.ts";
import { makeHeader, metadataWriterOf, renderOaiRecord } from "./oai-response.ts";
import { makeSets, setKeyOf } from "./sets.ts";
import { failure } from "../http/failure.ts";

/** State of a list between two requests: everything that its next part needs, so that the service stores nothing. */
const listState = z.object({
  verb: z.string(),
  given: z.array(z.tuple([z.string(), z.string()])),
  place: z.array(z.number()),
  cursor: z.int(),
});
type ListState = z.infer<typeof listState>;

/** Prefix of the signed text: other texts signed with the same secret are no tokens. */
const PURPOSE = "oai resumption ";

/** Reads the state of a list from the resumption token, if there is one. Throws badResumptionToken. */
async function stateOf(verb: Verb, values: Arguments, context: RequestContext): Promise<ListState> {
  const token = values.get(RESUMPTION);
  if (token === undefined) return { verb, given: [...values], place: [], cursor: 0 };
  const [, text = "", mac = ""] = /^([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  for (const secret of secretsOf(context.settings)) {
    if (!(await (await signerOf(secret)).verify(PURPOSE + text, mac))) continue;
    const state = listState.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    if (state.verb === verb) return state;
  }
  throw new OaiError("badResumptionToken", "oai.resumption");
}

/**
 * Makes the end of a part: an empty token at the end of a list that was resumed, or a signed one if the list continues,
 * `eyJ2ZXJiIjoi….gX3dK…`, the state in base64url and its MAC. Throws 503 without a secret.
 */
async function tokenElements(
  state: ListState,
  { next, count }: { next: readonly number[] | undefined; count: number },
  { settings }: RequestContext,
): Promise<SerializedElement[]> {
  const attributes = { cursor: String(state.cursor) };
  if (next === undefined) return state.place.length === 0 ? [] : [element(RESUMPTION, "", attributes)];
  const [secret] = secretsOf(settings);
  if (secret === undefined) throw failure("unavailable.setting", { setting: "SESSION_SECRET" });
  const following: ListState = { ...state, place: [...next], cursor: state.cursor + count };
  const text = Buffer.from(JSON.stringify(following)).toString("base64url");
  const mac = await (await signerOf(secret)).sign(PURPOSE + text);
  return [element(RESUMPTION, `${text}.${mac}`, attributes)];
}

export async function listSets(values: Arguments, context: RequestContext): Promise<SerializedElement> {
  const state = await stateOf("ListSets", values, context);
  const { sets, next } = await makeSets(state.place[0], context);
  const part = { next: next === undefined ? undefined : [next], count: sets.length };
  return element("ListSets", [...sets, ...(await tokenElements(state, part, context))]);
}

export async function listRecords(
  verb: "ListIdentifiers" | "ListRecords",
  values: Arguments,
  context: RequestContext,
): Promise<SerializedElement> {
  const state = await stateOf(verb, values, context);
  const first: Arguments = new Map(state.given);
  const write = metadataWriterOf(first.get("metadataPrefix") ?? "");
  const spec = first.get("set");
  const set = spec === undefined ? undefined : setKeyOf(spec);
  const page = await readHarvestPage({ span: spanOf(first, context.now), set }, state.place, context);
  const isResumed = state.place.length > 0;
  if (page.rows.length === 0 && page.next === undefined && !isResumed) {
    throw new OaiError("noRecordsMatch", "oai.none");
  }
  if (verb === "ListIdentifiers") {
    const headers = page.rows.map((row) => makeHeader(row, { isDeleted: !isBook(row), set }, context));
    const end = await tokenElements(state, { next: page.next, count: headers.length }, context);
    return element(verb, [...headers, ...end]);
  }
  const { taken: records } = await takeFitting(writeRecords(), ({ bytes }) => bytes, PAGE_BYTES);
  // If the response has no room for all records, the next part begins with the rest.
  const next = records.length < page.rows.length ? records.at(-1)?.place : page.next;
  const end = await tokenElements(state, { next, count: records.length }, context);
  return element(verb, [...records.map(({ text }) => renderedElement(text)), ...end]);

  async function* writeRecords() {
    for await (const record of readListedRecords(page.rows, context)) {
      const text = xmlText(renderOaiRecord(record, { write, set }, context));
      yield { text, bytes: utf8Length(text), place: record.row.place };
    }
  }
}
