import * as z from "zod";
import { catalogReader } from "../../context.ts";
import { badData } from "../../errors.ts";
import { queryJson } from "../../records-query.ts";
import { queryVersions } from "../../versions-query.ts";
import { versionEntry } from "../records/history.ts";
import { readHook } from "./hook.ts";

/** `GET /api/versions`: revisions by record, author, comment and the like; addresses for administrators only. */
export const versionsHook = readHook({
  name: "versions",
  summary: "Revisions of records",
  query: { query: z.string().optional().describe("A JSON query object") },
  async run({ query }, context) {
    if (query === undefined) throw badData("Missing argument: 'query'");
    const { groups } = await context.actor();
    const isAdmin = groups.has("/usergroup/admin");
    const asker = isAdmin ? "administrator" : "client";
    const rows = await queryVersions(catalogReader(context), queryJson(query), asker);
    return rows.map((row) => Object.assign(versionEntry(row), isAdmin ? { ip: row.ip } : {}));
  },
});
