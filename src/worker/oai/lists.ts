import { type XmlElement, element } from "../../catalog/xml.ts";
import { isBook } from "../formats/books.ts";
import type { RequestContext } from "../http/operation.ts";
import { header } from "./answer.ts";
import { type Arguments, type Verb, RESUMPTION } from "./arguments.ts";
import { spanOf } from "./dates.ts";
import { OaiError } from "./errors.ts";
import { type Harvest, readListed, readPage } from "./harvest.ts";
import { metadataWriter } from "./metadata.ts";
import { listedSets, setKey } from "./sets.ts";
import { type Token, openResumption, sealResumption } from "./token.ts";

/** The arguments of a list, and where it goes on. */
async function beginning(verb: Verb, given: Arguments, context: RequestContext): Promise<Token> {
  const sealed = given.get(RESUMPTION);
  return sealed === undefined
    ? { verb, given: [...given], place: [], cursor: 0 }
    : openResumption(sealed, verb, context);
}

/** The end of a part: a token as long as there is more, an empty one at the end of what was resumed. */
async function ending(
  token: Token,
  part: { readonly next: readonly number[] | undefined; readonly count: number },
  context: RequestContext,
): Promise<XmlElement[]> {
  const { cursor, place } = token;
  const { next, count } = part;
  if (next === undefined && place.length === 0) return [];
  const sealed =
    next === undefined
      ? ""
      : await sealResumption({ ...token, place: [...next], cursor: cursor + count }, context);
  return [element(RESUMPTION, sealed, { cursor: String(cursor) })];
}

/** `ListSets` */
export async function listSets(given: Arguments, context: RequestContext): Promise<XmlElement> {
  const token = await beginning("ListSets", given, context);
  const { sets, next } = await listedSets(token.place[0], context);
  const part = { next: next === undefined ? undefined : [next], count: sets.length };
  return element("ListSets", [...sets, ...(await ending(token, part, context))]);
}

/** `ListIdentifiers` and `ListRecords` */
export async function listRecords(
  verb: "ListIdentifiers" | "ListRecords",
  given: Arguments,
  context: RequestContext,
): Promise<XmlElement> {
  const token = await beginning(verb, given, context);
  const asked: Arguments = new Map(token.given);
  const write = metadataWriter(asked.get("metadataPrefix") ?? "");
  const spec = asked.get("set");
  const set = spec === undefined ? undefined : setKey(spec);
  const harvest: Harvest = { span: spanOf(asked, context.now), set };
  const page = await readPage(harvest, token.place, context);
  const isResumed = token.place.length > 0;
  if (page.rows.length === 0 && page.next === undefined && !isResumed) {
    throw new OaiError(
      "noRecordsMatch",
      "There are no such records. What was changed in the last minute comes after it.",
    );
  }
  if (verb === "ListIdentifiers") {
    const headers = page.rows.map((row) => header(row, { isDeleted: !isBook(row), set }, context));
    const end = await ending(token, { next: page.next, count: headers.length }, context);
    return element(verb, [...headers, ...end]);
  }
  const listed = await readListed(page.rows, context);
  const records = listed.map((record) => recordElement(record, { write, set }, context));
  // Where there was no room for all, those without come next.
  const next = listed.length < page.rows.length ? listed.at(-1)?.row.place : page.next;
  return element(verb, [...records, ...(await ending(token, { next, count: records.length }, context))]);
}

type Listed = Awaited<ReturnType<typeof readListed>>[number];

/** A record with its metadata; a deleted one has none. */
export function recordElement(
  { row, book }: Listed,
  { write, set }: { readonly write: ReturnType<typeof metadataWriter>; readonly set: string | undefined },
  context: RequestContext,
): XmlElement {
  const head = header(row, { isDeleted: book === undefined, set }, context);
  return element("record", book === undefined ? [head] : [head, element("metadata", [write(book)])]);
}
