import { MIB } from "../../catalog/units.ts";
import * as z from "zod";
import { parseHeaderFields } from "../../import/builder.ts";
import { ImportFailure } from "../../import/failure.ts";
import { IMPORT_FORMATS } from "../../import/formats.ts";
import { normalizeMetadata, buildItemRecord, findItemRefusal, requireBook } from "../../import/item.ts";
import { readMarc } from "../../import/marc/binary.ts";
import { editionOfMarc } from "../../import/marc/edition.ts";
import { decodeMarcXml } from "../../import/marc/xml.ts";
import { parseImport } from "../../import/parse.ts";
import type { ImportWarning } from "../../import/warning.ts";
import { bodyBytes } from "../http/bytes.ts";
import { operation } from "../http/operation.ts";
import { itemSource } from "../platform/item-source.ts";
import { IMPORT_RESPONSES, replyWithImport, importReplySchema } from "./import-responses.ts";
import { importBulkRecord, withMarcErrors } from "./item-marc.ts";
import {
  type ImportOutcome,
  type ImportContext,
  type ImportOptions,
  importRecord,
  requestImportContext,
  writerOfRequest,
  latestYear,
} from "./import-record.ts";
import { createStagedLookup } from "./lookups.ts";

const IMPORT_BODY_BYTES = MIB;

const FORMAT_LABELS = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
  Object.values(IMPORT_FORMATS).map(({ label }) => label),
);

/** Imports one record. The body is never parsed as a form. */
export const importRecordOperation = operation({
  id: "importRecord",
  summary: `Import a record: ${FORMAT_LABELS}`,
  tag: "import",
  query: { preview: z.string().optional().describe("`true` to save nothing") },
  body: {
    contentType: "application/octet-stream",
    description:
      "One record; the Content-Type is ignored. Headers `X-Archive-Meta-<name>` add fields; " +
      "MARC requires `X-Archive-Meta-Source-Record`",
  },
  responses: IMPORT_RESPONSES,
  handle({ query: { preview } }, context) {
    return replyWithImport(async () => {
      const { request, stores } = context;
      const bytes = await bodyBytes(request, IMPORT_BODY_BYTES);
      const warnings: ImportWarning[] = [];
      const reading = { staged: createStagedLookup(stores), warnings, latest: latestYear(context) };
      const record = await parseImport(bytes, parseHeaderFields(request.headers), reading);
      const options = { ...(await writerOfRequest(context)), preview: preview === "true", warnings };
      return importRecord(requestImportContext(context), record, options);
    });
  },
});

interface ItemRequest extends Omit<ImportOptions, "fromMarc"> {
  readonly identifier: string;
  readonly requireMarc: boolean;
  readonly force: boolean;
}

/** Imports an item. Throws `ImportFailure` for the item, `ItemsFailure` if the archive does not respond. */
export async function importItem(context: ImportContext, request: ItemRequest): Promise<ImportOutcome> {
  const { identifier: id, requireMarc, force, ...options } = request;
  const source = itemSource(context);
  const item = await source.metadata(id);
  if (item === undefined)
    throw new ImportFailure("invalid-ia-identifier", { key: "not_imported.no_item", values: { id } });
  const metadata = normalizeMetadata(item.metadata);
  const refusal = force ? undefined : findItemRefusal(id, metadata, context.settings.ITEM_PREFIXES_REFUSED);
  if (refusal !== undefined)
    throw new ImportFailure(refusal, { key: "not_imported.prohibited_item", values: { id } });
  const warnings: ImportWarning[] = [];
  const readFile = (name: string) => (item.files.includes(name) ? source.file(id, name) : undefined);
  const edition = await withMarcErrors(
    async () => {
      const binary = await readFile(`${id}_meta.mrc`);
      const xml = binary === undefined ? await readFile(`${id}_marc.xml`) : undefined;
      const marc = binary === undefined ? xml && decodeMarcXml(xml) : await readMarc(binary);
      if (marc === undefined) return undefined;
      if (!force) requireBook(marc);
      return editionOfMarc(marc, warnings, latestYear(context));
    },
    () => "not_imported.invalid_item",
  );
  if (edition === undefined && requireMarc)
    throw new ImportFailure("no-marc-record", "not_imported.invalid_item");
  const cover = await source.cover(id);
  const record = {
    ...(edition ?? buildItemRecord(metadata, warnings)),
    ocaid: id,
    source_records: [`ia:${id}`],
    ...(cover !== undefined && { cover }),
  };
  return importRecord(context, record, { ...options, fromMarc: edition !== undefined, warnings });
}

const flagParam = (description: string) => z.string().optional().describe(description);

const itemParams = {
  identifier: z
    .string()
    .optional()
    .describe("ID of an item; with `bulk_marc` `<item>/<file>:<offset>:<length>`"),
  require_marc: flagParam("`false` to accept items without MARC"),
  force_import: flagParam("`true` to ignore the item's status and the record's leader"),
  bulk_marc: flagParam("`true` for one record of a bulk MARC file"),
  local_id: flagParam(
    "Name below `/local_ids/` of the partner whose IDs the record has; only with `bulk_marc`",
  ),
  preview: flagParam("`true` to save nothing"),
};
const next = z.int().nullable().optional().describe("Place of the next record; only with `bulk_marc`");

export const importArchiveItem = operation({
  id: "importArchiveItem",
  summary: "Import an archive item, or one record of a bulk MARC file",
  tag: "import",
  query: itemParams,
  form: itemParams,
  responses: {
    ...IMPORT_RESPONSES,
    200: {
      description: "Outcome of the import",
      schema: importReplySchema.extend({ next_record_offset: next, next_record_length: next }),
    },
  },
  handle({ query, form }, context) {
    // Q364: the body takes precedence over the query.
    const param = (name: keyof typeof itemParams) => form[name] ?? query[name] ?? "";
    const isTrue = (name: keyof typeof itemParams) => param(name) === "true";
    const identifier = param("identifier");
    return replyWithImport(async () => {
      if (identifier === "") throw new ImportFailure("bad-input", "not_imported.no_identifier");
      const importContext = requestImportContext(context);
      const writer = await writerOfRequest(context);
      const options = { ...writer, identifier, preview: isTrue("preview"), force: isTrue("force_import") };
      if (isTrue("bulk_marc"))
        return importBulkRecord(importContext, { ...options, localId: param("local_id") });
      return importItem(importContext, { ...options, requireMarc: param("require_marc") !== "false" });
    });
  },
});
