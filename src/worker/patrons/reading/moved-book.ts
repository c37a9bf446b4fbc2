import { latestRecord } from "../../../catalog/document.ts";
import { readRecord } from "../../../db/records/read.ts";
import { wantsHtml } from "../../http/accept.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import type { BookMove } from "../../http/pages/reader.ts";
import { nameOf } from "../../ui/names.ts";
import { workKey } from "./parameters.ts";

/** Longest title in the message about a move, in UTF-16 units: it is stored in a cookie. */
const TITLE_MAX = 100;

/**
 * Returns key and title of a work for the message about its move. Only people get one, so requests of programs need no
 * read.
 */
export async function movedBook(
  context: RequestContext,
  work: number,
): Promise<Pick<BookMove, "key" | "title">> {
  const key = workKey(context, work);
  const row = wantsHtml(context.request) ? await readRecord(catalogReader(context), key) : undefined;
  const title = row === undefined ? key : nameOf(latestRecord(row));
  return { key, title: title.slice(0, TITLE_MAX).toWellFormed() };
}
