import { DAY_SECONDS } from "../../catalog/units.ts";
import { tryParseJson } from "../../catalog/record.ts";
import * as z from "zod";
import { asinOf, toCanonicalIsbn, toIsbn10 } from "../../catalog/identifiers/isbn.ts";
import type { ImportRecord } from "../../import/record.ts";
import { type AnswerCache, readCachedAnswer, writeCache } from "../http/kv-cache.ts";
import { logLine } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { OutboundFailure, getBytes } from "../platform/outbound.ts";

/** Timeout of a lookup in milliseconds. The affiliate service in turn waits for its own source. */
const AFFILIATE_TIMEOUT_MS = 10_000;
const AFFILIATE_BYTES = 262_144;
/** TTL of a cached hit in seconds. Misses are not cached. */
const AFFILIATE_SECONDS = 7 * DAY_SECONDS;

const recordSchema = z.record(z.string(), z.json());
const answerSchema = z.looseObject({
  status: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  hit: recordSchema.optional().catch(undefined),
});

export function httpAffiliate(url: string, cache: AnswerCache): AffiliateLookup {
  const base = new URL(`${url.replace(/\/$/, "")}/`);
  return {
    isConfigured: true,
    async lookUp(identifier, options) {
      // The affiliate service knows its products by ISBN-10, so the shorter form is requested.
      const isbn = toCanonicalIsbn(identifier);
      const lookupId = isbn === undefined ? asinOf(identifier) : (toIsbn10(isbn) ?? isbn);
      if (lookupId === undefined) return { kind: "nothing" };
      const name = `affiliate:v1:${lookupId}`;
      const cached = recordSchema.safeParse(tryParseJson((await readCachedAnswer(cache, name)) ?? "")).data;
      // Stored below. A JSON value by zod's definition is also a valid record member.
      if (cached !== undefined) return { kind: "hit", record: cached as ImportRecord };
      const answer = await requestLookup(base, lookupId, options);
      if (answer.kind === "hit") {
        const text = JSON.stringify(answer.record);
        await writeCache(cache, name, { entry: { text, seconds: AFFILIATE_SECONDS } });
      }
      return answer;
    },
  };
}

async function requestLookup(
  base: URL,
  identifier: string,
  { highPriority, stageImport }: LookupOptions,
): Promise<LookupAnswer> {
  const url = new URL(`isbn/${identifier}?high_priority=${highPriority}&stage_import=${stageImport}`, base);
  try {
    const { status, bytes } = await getBytes(url, {
      hosts: [base.host],
      subdomains: true,
      timeoutMs: AFFILIATE_TIMEOUT_MS,
      maxBytes: AFFILIATE_BYTES,
    });
    return status === 200
      ? toLookupAnswer(tryParseJson(new TextDecoder().decode(bytes)))
      : logFailure(`status ${status}`);
  } catch (error) {
    if (error instanceof OutboundFailure) return logFailure(error.message);
    throw error;
  }
}

function toLookupAnswer(value: unknown): LookupAnswer {
  const { data } = answerSchema.safeParse(value);
  if (data === undefined) return logFailure("not an answer");
  const { hit = {} } = data;
  if (Object.keys(hit).length > 0) return { kind: "hit", record: hit as ImportRecord };
  if (data.error === "not_configured") return { kind: "not_configured" };
  if (data.status === "submitted") return { kind: "submitted" };
  if (data.status === "success") return { kind: "staged" };
  const isKnown = data.status === "not found" || data.error === "rejected_isbn";
  return isKnown ? { kind: "nothing" } : logFailure("not an answer");
}

function logFailure(problem: string): LookupAnswer {
  logLine("error", "affiliate", { problem });
  return { kind: "failed" };
}

const NO_AFFILIATE: AffiliateLookup = {
  isConfigured: false,
  lookUp: () => Promise.resolve({ kind: "not_configured" }),
};

/** Returns the lookup of `AFFILIATE_URL`, or one that makes no request. */
export function affiliateOf(context: Pick<RequestContext, "settings" | "stores">): AffiliateLookup {
  const { AFFILIATE_URL: url } = context.settings;
  return url === "" ? NO_AFFILIATE : httpAffiliate(url, context.stores.cache);
}

interface LookupOptions {
  /** A client is waiting for the result. */
  readonly highPriority: boolean;
  readonly stageImport: boolean;
}

/** Outcome of a lookup. `staged` by the affiliate itself; `submitted`: to be repeated later; `failed`: no answer. */
type LookupAnswer =
  | { readonly kind: "hit"; readonly record: ImportRecord }
  | { readonly kind: "staged" | "nothing" | "submitted" | "not_configured" | "failed" };

export interface AffiliateLookup {
  readonly isConfigured: boolean;
  lookUp(identifier: string, options: LookupOptions): Promise<LookupAnswer>;
}
