import * as z from "zod";
import { parseAllowedUrl } from "../../catalog/allowed-url.ts";
import { english } from "../../catalog/texts.ts";
import { recordsByKey } from "../../db/records/records.ts";
import { ImportFailure } from "../../import/failure.ts";
import { toCurrentEdition } from "../../import/formats.ts";
import { readMarc } from "../../import/marc/binary.ts";
import { MARC_LENGTH_MAX } from "../../import/marc/record.ts";
import { cutRecord } from "../../import/marc/stream.ts";
import type { ImportRecord } from "../../import/record.ts";
import type { ImportWarning } from "../../import/warning.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { type Reply, NO_STORE, json, seeOther } from "../http/reply.ts";
import { ItemsFailure } from "../platform/item.ts";
import { OutboundFailure, getBytes } from "../platform/outbound.ts";
import { addressOf } from "../ui/markup.ts";
import { notify } from "../ui/notice.ts";
import { lookUpBook } from "./affiliate.ts";
import { importItem } from "./import-api.ts";
import {
  type ImportContext,
  importRecord,
  latestYear,
  requestImportContext,
  writerOfRequest,
} from "./import-record.ts";
import { importFailureSchema, importReplySchema, toFailureResponse } from "./import-responses.ts";
import { withMarcErrors } from "./item-marc.ts";
import {
  type PreviewAnswer,
  type PreviewRequest,
  PREVIEW_PROVIDERS,
  previewBody,
  providerPreviewPage,
} from "./preview-page.ts";

const parameters = {
  source: z.string().optional().describe("`<provider>:<identifier>`; takes precedence over the other two"),
  provider: z.string().optional().describe("Provider: amazon, ia or marc"),
  identifier: z
    .string()
    .default("")
    .describe("ISBN or ASIN, ID of an item, or `<url>:<offset>` of a MARC file"),
};
const responses = {
  200: {
    description: "Outcome of the import, or the reason of its refusal",
    schema: z.union([importReplySchema, importFailureSchema]),
  },
};

export const importPreview = operation({
  id: "importPreview",
  summary: "Preview the import of a record",
  tag: "import",
  query: parameters,
  responses,
  async handle({ query }, context) {
    const answer = await previewFromProvider(context, { ...query, save: false });
    return json(previewBody(answer), { cacheControl: NO_STORE });
  },
});

export const importPreviewPost = operation({
  id: "importPreviewed",
  summary: "Import a record, or preview the import",
  tag: "import",
  form: { ...parameters, save: boolean().default(false).describe("True to import the record") },
  responses,
  async handle({ form }, context) {
    return json(previewBody(await previewFromProvider(context, form)), { cacheControl: NO_STORE });
  },
});

const pageParameters = {
  source: z.string().optional(),
  provider: z.string().default("amazon"),
  identifier: z.string().default(""),
};
const pageResponses = { 200: { description: "HTML page", contentType: "text/html" } };

export const importPreviewPage = operation({
  id: "importPreviewPage",
  summary: "Show the form to preview an import",
  tag: "import",
  query: pageParameters,
  responses: pageResponses,
  handle({ query }, context) {
    const request = { ...query, save: false };
    const isFirst = request.source === undefined && request.identifier === "";
    return isFirst ? providerPreviewPage(request) : replyWithPreview(context, request);
  },
});

export const importPreviewForm = operation({
  id: "importPreviewForm",
  summary: "Import a record by a form, or preview the import",
  tag: "import",
  form: { ...pageParameters, save: boolean().default(false) },
  responses: { ...pageResponses, 303: { description: "Redirect to the imported book" } },
  handle: ({ form }, context) => replyWithPreview(context, form),
});

async function replyWithPreview(context: RequestContext, request: PreviewRequest): Promise<Reply> {
  const answer = await previewFromProvider(context, request);
  if (request.save && answer.success) {
    notify(context, "preview.saved");
    return seeOther(addressOf(answer.edition.key));
  }
  const edits = answer.success ? (answer.edits ?? []) : [];
  const keys = edits.flatMap(({ key }) => (typeof key === "string" ? key : []));
  const reader = context.stores.catalog.withSession("first-unconstrained");
  return providerPreviewPage(request, answer, await recordsByKey(reader, keys));
}

/** Imports a record from a provider, or previews the import. Failures are returned. */
async function previewFromProvider(
  context: RequestContext,
  { source, provider, identifier, save }: PreviewRequest,
): Promise<PreviewAnswer> {
  const [name, ...rest] = source?.split(":") ?? [provider];
  const known = PREVIEW_PROVIDERS.find((entry) => entry === name);
  if (known === undefined || (source !== undefined && rest.length === 0)) {
    const isMissing = source === undefined && provider === undefined;
    const text = { key: isMissing ? "not_imported.no_provider" : "not_imported.source" } as const;
    return { success: false, text, body: { success: false, error: english(text) } };
  }
  const id = source === undefined ? identifier : rest.join(":");
  try {
    const importContext = requestImportContext(context);
    const options = { ...(await writerOfRequest(context)), preview: !save };
    if (known === "ia")
      return await importItem(importContext, { ...options, identifier: id, requireMarc: false, force: true });
    if (known === "marc") {
      const warnings: ImportWarning[] = [];
      const record = await fetchRecordAt(id, importContext, warnings);
      return await importRecord(importContext, record, { ...options, fromMarc: true, warnings });
    }
    const found = await lookUpBook(context, id, { highPriority: true, stageImport: false });
    if (found.kind !== "hit") throw new ImportFailure("bad-input", RETAIL_PROBLEMS[found.kind]);
    return await importRecord(importContext, found.record, options);
  } catch (error) {
    // Q363: failures are 200 here, unlike on other routes.
    if (error instanceof ImportFailure) {
      return { success: false, text: error.text, body: toFailureResponse(error) };
    }
    if (error instanceof ItemsFailure) {
      const text = { key: "not_imported.archive", values: { reason: error.message } } as const;
      const body = { success: false, error_code: "items-unavailable", error: error.message } as const;
      return { success: false, text, body };
    }
    throw error;
  }
}

const RETAIL_PROBLEMS = {
  nothing: "not_imported.no_metadata",
  staged: "not_imported.no_metadata",
  submitted: "not_imported.no_metadata_yet",
  not_configured: "not_imported.no_affiliate",
  failed: "not_imported.affiliate",
} as const;

const MARC_FILE_TIMEOUT_MS = 10_000;
const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Fetches the record at `<url>:<byte offset>` of a file on one of the hosts in `MARC_HOSTS`. */
async function fetchRecordAt(
  identifier: string,
  context: ImportContext,
  warnings: ImportWarning[],
): Promise<ImportRecord> {
  const { MARC_HOSTS: hosts } = context.settings;
  const [, address = "", digits = ""] = /^(.*):(\d{1,15})$/s.exec(identifier) ?? [];
  const url = parseAllowedUrl(address, hosts, { subdomains: true });
  // The response becomes a record, so it must be protected against changes in transit.
  if (url === undefined || (url.protocol !== "https:" && !LOCAL.has(url.hostname))) {
    throw new ImportFailure("bad-input", "not_imported.marc_identifier");
  }
  const offset = Number(digits);
  // The range is open-ended: the record states its own length.
  const options = {
    hosts,
    subdomains: true,
    timeoutMs: MARC_FILE_TIMEOUT_MS,
    maxBytes: MARC_LENGTH_MAX,
    cut: true,
    headers: { Range: `bytes=${offset}-` },
  };
  const { status, bytes } = await getBytes(url, options).catch((error: unknown) => {
    if (!(error instanceof OutboundFailure)) throw error;
    const values = { reason: error.message };
    throw new ImportFailure("bad-input", { key: "not_imported.range_failed", values });
  });
  if (status !== 206)
    throw new ImportFailure("bad-input", { key: "not_imported.range_status", values: { offset, status } });
  const record = cutRecord(bytes);
  const reading = { warnings, latest: latestYear(context) };
  const edition = await withMarcErrors(async () => toCurrentEdition(await readMarc(record), reading));
  return { ...edition, source_records: [`marc:${url.href}:${digits}:${record.length}`] };
}
