import { ImportFailure } from "../../import/failure.ts";
import { affiliateOf } from "../affiliate/affiliate.ts";
import type { RequestContext } from "../http/operation.ts";
import { ItemsFailure } from "../platform/item.ts";
import { type FailureAnswer, failureAnswer } from "./import-answer.ts";
import { importItem } from "./import-item.ts";
import { type LoadAnswer, loadRecord, requestLoadContext } from "./load-record.ts";
import { recordAtAddress } from "./marc-provider.ts";
import { requestWriter } from "./writer.ts";

/** Where a preview gets its record from. */
export const PREVIEW_PROVIDERS = ["amazon", "ia", "marc"] as const;
export type PreviewProvider = (typeof PREVIEW_PROVIDERS)[number];

/** What is to be previewed, as it was sent. */
export interface AskedPreview {
  /** `<provider>:<identifier>`; goes before the two others. */
  readonly source: string | undefined;
  readonly provider: string | undefined;
  readonly identifier: string;
  readonly save: boolean;
}

/** A provider and what it is asked for. */
export interface PreviewSource {
  readonly provider: PreviewProvider;
  readonly identifier: string;
}

export type PreviewAnswer = LoadAnswer | FailureAnswer;

/** Imports a record from a provider, or shows what that would do (import.md 4.1). What goes wrong is an answer as well. */
export async function previewImport(context: RequestContext, asked: AskedPreview): Promise<PreviewAnswer> {
  const source = previewSource(asked);
  if (typeof source === "string") return { success: false, error: source };
  try {
    return await fromProvider(context, source, asked.save);
  } catch (error) {
    // Q363: 200, unlike elsewhere.
    if (error instanceof ImportFailure) return failureAnswer(error);
    if (error instanceof ItemsFailure)
      return { success: false, error_code: "items-unavailable", error: error.message };
    throw error;
  }
}

/** Which provider is meant; a text says why none is. */
function previewSource({ source, provider, identifier }: AskedPreview): PreviewSource | string {
  if (source === undefined && provider === undefined) return "No provider specified";
  const colon = source?.indexOf(":") ?? 0;
  const name = source === undefined ? provider : source.slice(0, Math.max(0, colon));
  const known = PREVIEW_PROVIDERS.find((one) => one === name);
  if (known === undefined) return "Invalid source provided";
  return { provider: known, identifier: source === undefined ? identifier : source.slice(colon + 1) };
}

async function fromProvider(
  context: RequestContext,
  { provider, identifier }: PreviewSource,
  save: boolean,
): Promise<LoadAnswer> {
  const load = requestLoadContext(context);
  const options = { ...(await requestWriter(context)), preview: !save };
  switch (provider) {
    case "ia":
      return importItem(load, { ...options, identifier, requireMarc: false, force: true });
    case "marc":
      return loadRecord(load, await recordAtAddress(identifier, context.settings), {
        ...options,
        fromMarc: true,
      });
    case "amazon":
      return loadRecord(load, await retailRecord(context, identifier), options);
  }
}

async function retailRecord(context: RequestContext, identifier: string) {
  const answer = await affiliateOf(context).lookUp(identifier, { highPriority: true, stageImport: false });
  if (answer.kind === "hit") return answer.record;
  throw new ImportFailure("bad-input", RETAIL_PROBLEMS[answer.kind]);
}

const RETAIL_PROBLEMS = {
  nothing: "No metadata found",
  staged: "No metadata found",
  submitted: "No metadata found yet",
  not_configured: "No affiliate lookup is configured",
  failed: "The affiliate lookup does not answer",
};
