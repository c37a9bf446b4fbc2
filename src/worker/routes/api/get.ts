import * as z from "zod";
import { catalogReader } from "../../context.ts";
import { badData, recordNotFound } from "../../errors.ts";
import { revisionOf, viewOf } from "../../records-by-key.ts";
import { readHook } from "./hook.ts";

/** `GET /api/get`: one record, latest or at a revision. */
export const getHook = readHook({
  name: "get",
  summary: "One record",
  query: { key: z.string().optional(), revision: z.string().optional() },
  async run({ key, revision }, context) {
    if (key === undefined) throw badData("Missing argument: 'key'");
    const row = await revisionOf(catalogReader(context), key, revision);
    if (row === undefined) throw recordNotFound(key);
    return viewOf(row);
  },
});
