import * as z from "zod";
import { latestRecord } from "../../../catalog/document.ts";
import { type CatalogRecord, typeKey } from "../../../catalog/record.ts";
import { readRecord } from "../../../db/records/read-record.ts";
import { catalogReader, coversUrl } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { redirect } from "../../reply.ts";

/** `GET /suggest/thumbnail?id=<key>`: the small picture of a record (lookup.md 10.1). */
export const suggestThumbnail = operation({
  id: "suggestThumbnail",
  summary: "The small picture of a record",
  tag: "search",
  query: { id: z.string().default("").describe("Key of the record") },
  responses: { 302: { description: "The picture" }, 404: { description: "No such record, or no picture" } },
  async handle({ query: { id } }, context) {
    const row = id === "" ? undefined : await readRecord(catalogReader(context), id);
    const path = row === undefined ? undefined : picturePath(latestRecord(row));
    if (path === undefined) throw notFound();
    return redirect(302, coversUrl(context) + path);
  },
});

function picturePath(record: CatalogRecord): string | undefined {
  const isAuthor = typeKey(record) === "/type/author";
  const pictures = record[isAuthor ? "photos" : "covers"];
  const number = Array.isArray(pictures)
    ? pictures.find((picture) => typeof picture === "number" && picture > 0)
    : undefined;
  return number === undefined ? undefined : `/${isAuthor ? "a" : "b"}/id/${String(number)}-S.jpg`;
}
