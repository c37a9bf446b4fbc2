import * as z from "zod";
import { listOperation } from "../../lists/list-operation.ts";
import type { ListFolder } from "../../lists/list-path.ts";
import { listReply } from "../../lists/list-reply.ts";
import { boolean } from "../../validation/parameters.ts";
import { RECORD_KEEP, recordParameters, recordReply } from "../records/read-record.ts";
import { RECORD_FORMS, recordAnswer } from "../records/record-answers.ts";

const answer = z.looseObject({
  links: z.record(z.string(), z.string()).describe("self, seeds, and of lists subjects and editions"),
  name: z.string().nullable(),
  type: z.object({ key: z.string() }),
  description: z.string().nullable(),
  seed_count: z.int(),
  meta: z.object({ revision: z.int(), created: z.string(), last_modified: z.string() }),
});

/** `GET /people/<u>/lists/<id>.json`: a list of a patron (patrons.md 14.3). */
export const readPeopleList = readingOperation("people", "readPeopleList", "A list of a patron");
/** `GET /lists/<id>.json`: a list of nobody. */
export const readCommunityList = readingOperation("lists", "readList", "A list of the community");
/** `GET /series/<id>.json`. */
export const readSeries = readingOperation("series", "readSeries", "A series");

function readingOperation(folder: ListFolder, id: string, summary: string) {
  return listOperation({
    id,
    summary,
    folder,
    number: "list_id",
    query: {
      _raw: boolean().default(false).describe("The stored record instead"),
      ...recordParameters,
    },
    keep: RECORD_KEEP,
    responses: {
      200: {
        description: "What the list is, without its members; with `v` or `m` as of a record",
        schema: z.union([answer, recordAnswer]),
        also: RECORD_FORMS,
      },
      303: { description: "The same without a mode that does not exist; the form of the list" },
    },
    handle(key, { _raw: raw, ...parameters }, context) {
      const { v, m = "" } = parameters;
      // Q246: revisions and history are those of the record.
      if (v !== undefined || (m !== "" && m !== "view")) return recordReply(parameters, context);
      return listReply(key, raw, context);
    },
  });
}
