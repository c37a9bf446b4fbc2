import { type Text, english } from "../../catalog/texts.ts";
import * as z from "zod";
import { parseAllowedUrl } from "../../catalog/allowed-url.ts";
import { ImportFailure } from "../../import/failure.ts";
import { readMarc } from "../../import/marc/binary.ts";
import { MARC_LENGTH_MAX } from "../../import/marc/record.ts";
import { cutRecord } from "../../import/marc/stream.ts";
import type { ImportRecord } from "../../import/record.ts";
import { type Reading, toCurrentEdition } from "../../import/formats.ts";
import type { ImportWarning } from "../../import/warning.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import type { Settings } from "../http/settings.ts";
import { ItemsFailure } from "../platform/item.ts";
import { type OutboundResponse, OutboundFailure, getBytes } from "../platform/outbound.ts";
import { affiliateOf } from "./affiliate.ts";
import {
  type ImportFailureResponse,
  toFailureResponse,
  importFailureSchema,
  importReplySchema,
} from "./import-responses.ts";
import { importItem } from "./import-api.ts";
import { withMarcErrors } from "./item-marc.ts";
import {
  type ImportOutcome,
  importRecord,
  latestYear,
  requestImportContext,
  writerOfRequest,
} from "./import-record.ts";

const MARC_FILE_TIMEOUT_MS = 10_000;
const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Fetches the record at `<url>:<byte offset>` of a file on one of the hosts in `MARC_HOSTS`. */
async function fetchRecordAt(
  identifier: string,
  settings: Settings,
  reading: Reading,
): Promise<ImportRecord> {
  const [, address = "", offset = ""] = /^(.*):(\d{1,15})$/s.exec(identifier) ?? [];
  const url = parseAllowedUrl(address, settings.MARC_HOSTS, { subdomains: true });
  // The response becomes a record, so it must be protected against changes in transit.
  if (url === undefined || (url.protocol !== "https:" && !LOCAL.has(url.hostname))) {
    throw new ImportFailure("bad-input", "not_imported.marc_identifier");
  }
  const bytes = await fetchRecordBytes(url, Number(offset), settings.MARC_HOSTS);
  const edition = await withMarcErrors(async () => toCurrentEdition(await readMarc(bytes), reading));
  return { ...edition, source_records: [`marc:${url.href}:${offset}:${bytes.length}`] };
}

/** Requests an open-ended range: the record states its own length. */
async function fetchRecordBytes(url: URL, offset: number, hosts: readonly string[]): Promise<Uint8Array> {
  const { status, bytes } = await fetchRange(url, offset, hosts);
  if (status !== 206) {
    const values = { offset, status };
    throw new ImportFailure("bad-input", { key: "not_imported.range_status", values });
  }
  return cutRecord(bytes);
}

async function fetchRange(url: URL, offset: number, hosts: readonly string[]): Promise<OutboundResponse> {
  try {
    return await getBytes(url, {
      hosts,
      subdomains: true,
      timeoutMs: MARC_FILE_TIMEOUT_MS,
      maxBytes: MARC_LENGTH_MAX,
      cut: true,
      headers: { Range: `bytes=${offset}-` },
    });
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    const values = { reason: error.message };
    throw new ImportFailure("bad-input", { key: "not_imported.range_failed", values });
  }
}

export const PREVIEW_PROVIDERS = ["amazon", "ia", "marc"] as const;

export interface PreviewRequest {
  readonly source: string | undefined;
  readonly provider: string | undefined;
  readonly identifier: string;
  readonly save: boolean;
}

type PreviewSource = { provider: (typeof PREVIEW_PROVIDERS)[number]; identifier: string };

/** Outcome of a preview. `text` is the reason of a refusal for people, `body` the response for programs. */
export type PreviewAnswer =
  | ImportOutcome
  | { readonly success: false; readonly text: Text; readonly body: ImportFailureResponse };

/** Returns the members of an answer as clients see them. */
export function previewBody(answer: PreviewAnswer): ImportOutcome | ImportFailureResponse {
  return answer.success ? answer : answer.body;
}

/** Imports a record from a provider, or previews the import. Failures are returned. */
export async function previewFromProvider(
  context: RequestContext,
  request: PreviewRequest,
): Promise<PreviewAnswer> {
  const source = parseSource(request);
  if ("key" in source) {
    return { success: false, text: source, body: { success: false, error: english(source) } };
  }
  try {
    return await importFromProvider(context, source, request.save);
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

function parseSource({ source, provider, identifier }: PreviewRequest): PreviewSource | Text {
  if (source === undefined && provider === undefined) return { key: "not_imported.no_provider" };
  const colon = source?.indexOf(":") ?? 0;
  const name = source === undefined ? provider : source.slice(0, Math.max(0, colon));
  const known = PREVIEW_PROVIDERS.find((entry) => entry === name);
  if (known === undefined) return { key: "not_imported.source" };
  return { provider: known, identifier: source === undefined ? identifier : source.slice(colon + 1) };
}

async function importFromProvider(
  context: RequestContext,
  { provider, identifier }: PreviewSource,
  save: boolean,
): Promise<ImportOutcome> {
  const importContext = requestImportContext(context);
  const options = { ...(await writerOfRequest(context)), preview: !save };
  switch (provider) {
    case "ia":
      return importItem(importContext, { ...options, identifier, requireMarc: false, force: true });
    case "marc": {
      const warnings: ImportWarning[] = [];
      const record = await fetchRecordAt(identifier, context.settings, {
        warnings,
        latest: latestYear(context),
      });
      return importRecord(importContext, record, { ...options, fromMarc: true, warnings });
    }
    case "amazon":
      return importRecord(importContext, await lookUpRetailRecord(context, identifier), options);
  }
}

async function lookUpRetailRecord(context: RequestContext, identifier: string) {
  const answer = await affiliateOf(context).lookUp(identifier, { highPriority: true, stageImport: false });
  if (answer.kind === "hit") return answer.record;
  throw new ImportFailure("bad-input", RETAIL_PROBLEMS[answer.kind]);
}

const RETAIL_PROBLEMS = {
  nothing: "not_imported.no_metadata",
  staged: "not_imported.no_metadata",
  submitted: "not_imported.no_metadata_yet",
  not_configured: "not_imported.no_affiliate",
  failed: "not_imported.affiliate",
} as const;

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
