import * as z from "zod";
import { latestRecord } from "../../../catalog/document.ts";
import { type CatalogRecord, textOf, typeKey } from "../../../catalog/record.ts";
import { readRecord } from "../../../db/records/read-record.ts";
import { catalogReader } from "../../context.ts";
import { recordNotFound } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { callbackName } from "../../validation/parameters.ts";
import { suggestReply } from "./reply.ts";

/** `GET /suggest/blurb/{path}`: dates and text of a record as HTML (lookup.md 10.1). */
export const suggestBlurb = operation({
  id: "suggestBlurb",
  summary: "Dates and biography of an author as HTML",
  tag: "search",
  path: { path: z.string().describe("Key of the record without its first slash") },
  query: { callback: callbackName() },
  responses: {
    200: { description: "HTML in an envelope", schema: z.looseObject({ status: z.string() }) },
    404: { description: "No such record" },
  },
  async handle({ path: { path }, query: { callback } }, context) {
    const key = `/${path}`;
    const row = await readRecord(catalogReader(context), key);
    const record = row === undefined ? undefined : latestRecord(row);
    if (record === undefined || typeKey(record) === "/type/delete") throw recordNotFound(key);
    const body = blurb(record);
    return suggestReply({ result: { body, media_type: "text/html", text_encoding: "utf-8" } }, callback);
  },
});

function blurb(record: CatalogRecord): string {
  const [birth, death, date] = ["birth_date", "death_date", "date"].map((name) => textOf(record[name]) ?? "");
  const dates = birth === "" && death === "" ? date : `${birth} - ${death}`;
  const text = textOf(record["bio"]) ?? textOf(record["description"]) ?? "";
  return `${escaped(dates ?? "")}<br/>${escaped(text)}`;
}

const ENTITIES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}
