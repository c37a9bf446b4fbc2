import * as z from "zod";
import { CarrelError, badData, tooLarge } from "../../http/errors.ts";
import { isFileName, isItemId } from "../../platform/item.ts";
import { folderOf } from "../../platform/item-files.ts";
import { operation } from "../../http/operation.ts";
import { NO_STORE, json } from "../../http/reply.ts";

/** Largest file that can be put into an item by a request, in bytes; larger ones go to R2 directly. */
export const ITEM_UPLOAD_BYTES = 100 * 1024 * 1024;

/** `PUT /system/items/<item>/<file>`: a file of an archive item in R2, for the reader and for imports. */
export const putItemFile = operation({
  id: "putItemFile",
  summary: "Store a file of an archive item",
  tag: "operation",
  path: { place: z.string().describe("`<item>/<file>`; `metadata.json` describes the item") },
  body: { contentType: "application/octet-stream", description: "The file" },
  responses: {
    200: { description: "It is stored", schema: z.object({ key: z.string(), size: z.int() }) },
    400: { description: "No such name can be given" },
    411: { description: "Its length is not said" },
    413: { description: "The file is too large" },
  },
  async handle({ path: { place } }, { request, stores }) {
    const [, item = "", file = ""] = /^([^/]*)\/(.*)$/s.exec(place) ?? [];
    if (!isItemId(item) || !isFileName(file)) throw badData("neither item nor file can be called so");
    const length = request.headers.get("Content-Length");
    if (length === null) throw new CarrelError(411, "length_required", { message: "Length Required" });
    if (Number(length) > ITEM_UPLOAD_BYTES) throw tooLarge(ITEM_UPLOAD_BYTES);
    const contentType = request.headers.get("Content-Type") ?? "application/octet-stream";
    const key = folderOf(item) + file;
    const { size } = await stores.archive.put(key, request.body ?? "", { httpMetadata: { contentType } });
    return json({ key, size }, { cacheControl: NO_STORE });
  },
});
