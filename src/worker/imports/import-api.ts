import * as z from "zod";
import { readLanguageIndex } from "../../db/imports/language-index.ts";
import { headerFields } from "../../import/builder.ts";
import { ImportFailure } from "../../import/failure.ts";
import { IMPORT_FORMATS } from "../../import/formats.ts";
import { requireBook } from "../../import/item-marc.ts";
import { itemMetadata, itemRefusal } from "../../import/item-metadata.ts";
import { itemRecord } from "../../import/item-record.ts";
import { editionOfMarc } from "../../import/marc/edition.ts";
import { parseImport } from "../../import/parse.ts";
import type { ImportRecord } from "../../import/record.ts";
import { bodyBytes } from "../http/bytes.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { itemSource } from "../platform/item-source.ts";
import type { ItemDescription, ItemSource } from "../platform/item.ts";
import { IMPORT_RESPONSES, importAnswer, importReply } from "./answers.ts";
import { importBulkRecord } from "./bulk-marc.ts";
import { itemMarc, readingMarc } from "./item-marc.ts";
import { type LoadContext, requestLoadContext, requestWriter } from "./load-context.ts";
import { type LoadAnswer, type LoadOptions, loadRecord } from "./load-record.ts";
import { stagedLookup } from "./staged.ts";

/** Maximum size of a record in bytes. A MARC record has at most 99,999. */
const IMPORT_BODY_BYTES = 1024 * 1024;

const FORMAT_LABELS = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
  Object.values(IMPORT_FORMATS).map(({ label }) => label),
);

/** `POST /api/import`: imports one record in any format. The body is never parsed as a form. */
export const importRecord = operation({
  id: "importRecord",
  summary: `Imports a record: ${FORMAT_LABELS}`,
  tag: "import",
  query: { preview: z.string().optional().describe("`true`: nothing is saved") },
  body: {
    contentType: "application/octet-stream",
    description:
      "One record, whatever its type is called. Headers `X-Archive-Meta-<name>` add fields; " +
      "MARC needs `X-Archive-Meta-Source-Record`",
  },
  responses: IMPORT_RESPONSES,
  handle({ query: { preview } }, context) {
    return importAnswer(async () => {
      const { request, stores } = context;
      const bytes = await bodyBytes(request, IMPORT_BODY_BYTES);
      const record = await parseImport(bytes, headerFields(request.headers), stagedLookup(stores));
      const writer = await requestWriter(context);
      return loadRecord(requestLoadContext(context), record, { ...writer, preview: preview === "true" });
    });
  },
});

/** Archive item to import, and the options. */
interface ItemImport extends Omit<LoadOptions, "fromMarc"> {
  readonly identifier: string;
  /** If true, an item without a MARC record fails. */
  readonly requireMarc: boolean;
  /** If true, imports the item regardless of its status and leader. */
  readonly force: boolean;
}

/**
 * Imports an item of the archive. Throws `ImportFailure` if the item cannot be imported, and `ItemsFailure` if the
 * archive does not respond.
 */
export async function importItem(context: LoadContext, wish: ItemImport): Promise<LoadAnswer> {
  const { identifier: id, requireMarc, force, ...options } = wish;
  const { settings, stores } = context;
  const source = itemSource(context);
  const item = await source.metadata(id);
  if (item === undefined) throw new ImportFailure("invalid-ia-identifier", `${id} not found`);
  const metadata = itemMetadata(item.metadata);
  const refusal = force ? undefined : itemRefusal(id, metadata, settings.ITEM_PREFIXES_REFUSED);
  if (refusal !== undefined) throw new ImportFailure(refusal, `Prohibited Item ${id}`);
  const marc = await marcRecord(source, item, wish);
  if (marc === undefined && requireMarc) throw new ImportFailure("no-marc-record", "Invalid item");
  const record = marc ?? itemRecord(metadata, await readLanguageIndex(stores.catalog));
  const cover = await source.cover(id);
  return loadRecord(
    context,
    { ...record, ocaid: id, source_records: [`ia:${id}`], ...(cover === undefined ? {} : { cover }) },
    { ...options, fromMarc: marc !== undefined },
  );
}
function marcRecord(
  source: ItemSource,
  item: ItemDescription,
  { identifier, force }: ItemImport,
): Promise<ImportRecord | undefined> {
  return readingMarc(
    async () => {
      const marc = await itemMarc(source, identifier, item);
      if (marc === undefined) return undefined;
      if (!force) requireBook(marc);
      return editionOfMarc(marc);
    },
    () => "Invalid item",
  );
}

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

/** `POST /api/import/ia`: imports an archive item, or a record of a bulk file. */
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

/** Returns the members that were sent. Q364: the body takes precedence over the query. */
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
