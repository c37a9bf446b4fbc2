import * as z from "zod";
import { ImportFailure } from "../../../import/failure.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { importAnswer } from "../../import/import-answer.ts";
import { importBulkRecord } from "../../import/import-bulk.ts";
import { importItem } from "../../import/import-item.ts";
import { type LoadAnswer, requestLoadContext } from "../../import/load-record.ts";
import { requestWriter } from "../../import/writer.ts";
import { IMPORT_RESPONSES, importReply } from "./answers.ts";

const flag = (description: string) => z.string().optional().describe(description);

const parameters = {
  identifier: z
    .string()
    .optional()
    .describe("Id of an item; with bulk_marc `<item>/<file>:<offset>:<length>`"),
  require_marc: flag("Unless `false` an item without MARC fails"),
  force_import: flag("`true`: whatever the item's status and the record's leader say"),
  bulk_marc: flag("`true`: one record out of a file of many"),
  local_id: flag("With bulk_marc: name below /local_ids/ of the partner whose numbers the record has"),
  preview: flag("`true`: nothing is saved"),
};
type Given = { readonly [name in keyof typeof parameters]: string | undefined };

const next = z.int().nullable().optional().describe("With bulk_marc: where the next record is");

/** `POST /api/import/ia`: an item of the archive, or a record out of a bulk file (import.md 3). */
export const importArchiveItem = operation({
  id: "importArchiveItem",
  summary: "Imports an archive item, or one record of a bulk MARC file",
  tag: "import",
  query: parameters,
  form: parameters,
  responses: {
    ...IMPORT_RESPONSES,
    200: {
      description: "What became of the record",
      schema: importReply.extend({ next_record_offset: next, next_record_length: next }),
    },
  },
  handle({ query, form }, context) {
    return importAnswer(() => imported(context, { ...query, ...given(form) }));
  },
});

/** Members that were sent. Q364: the body goes before the query. */
function given(form: Given): Partial<Given> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
}

async function imported(context: RequestContext, asked: Given): Promise<LoadAnswer> {
  const { identifier = "", local_id: localId = "" } = asked;
  if (identifier === "") throw new ImportFailure("bad-input", "identifier not provided");
  const load = requestLoadContext(context);
  const options = {
    ...(await requestWriter(context)),
    identifier,
    preview: isTrue(asked.preview),
    force: isTrue(asked.force_import),
  };
  if (isTrue(asked.bulk_marc)) {
    return importBulkRecord(load, { ...options, localId: localId === "" ? undefined : localId });
  }
  return importItem(load, { ...options, requireMarc: asked.require_marc !== "false" });
}

function isTrue(text: string | undefined): boolean {
  return text === "true";
}
