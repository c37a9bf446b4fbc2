import { DAY_SECONDS } from "../../catalog/units.ts";
import { tryParseJson } from "../../catalog/record.ts";
import * as z from "zod";
import { asinOf, toCanonicalIsbn, toIsbn10 } from "../../catalog/identifiers/isbn.ts";
import type { ImportRecord } from "../../import/record.ts";
import { type AnswerCache, readCachedAnswer, writeCache } from "../http/kv-cache.ts";
import { logLine } from "../http/log.ts";
import type { Settings } from "../http/settings.ts";
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

/** Outcome of a lookup. `staged` by the affiliate itself; `submitted`: to be repeated later; `failed`: no answer. */
type LookupAnswer =
  | { readonly kind: "hit"; readonly record: ImportRecord }
  | { readonly kind: "staged" | "nothing" | "submitted" | "not_configured" | "failed" };

/** Looks up a book at the service of `AFFILIATE_URL`, which waits for its own source if a client waits (`highPriority`). */
export async function lookUpBook(
  {
    settings,
    stores: { cache },
  }: { settings: Pick<Settings, "AFFILIATE_URL">; stores: { cache: AnswerCache } },
  identifier: string,
  { highPriority, stageImport }: { highPriority: boolean; stageImport: boolean },
): Promise<LookupAnswer> {
  if (settings.AFFILIATE_URL === "") return { kind: "not_configured" };
  // The affiliate service knows its products by ISBN-10, so the shorter form is requested.
  const isbn = toCanonicalIsbn(identifier);
  const lookupId = isbn === undefined ? asinOf(identifier) : (toIsbn10(isbn) ?? isbn);
  if (lookupId === undefined) return { kind: "nothing" };
  const name = `affiliate:v1:${lookupId}`;
  const cached = recordSchema.safeParse(tryParseJson((await readCachedAnswer(cache, name)) ?? "")).data;
  // Stored below. A JSON value by zod's definition is also a valid record member.
  if (cached !== undefined) return { kind: "hit", record: cached as ImportRecord };
  const base = new URL(`${settings.AFFILIATE_URL.replace(/\/$/, "")}/`);
  const url = new URL(`isbn/${lookupId}?high_priority=${highPriority}&stage_import=${stageImport}`, base);
  let answer: unknown;
  try {
    const { status, bytes } = await getBytes(url, {
      hosts: [base.host],
      subdomains: true,
      timeoutMs: AFFILIATE_TIMEOUT_MS,
      maxBytes: AFFILIATE_BYTES,
    });
    if (status !== 200) return logFailure(`status ${status}`);
    answer = tryParseJson(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof OutboundFailure) return logFailure(error.message);
    throw error;
  }
  const { data } = answerSchema.safeParse(answer);
  const { hit = {}, error, status } = data ?? {};
  if (Object.keys(hit).length > 0) {
    await writeCache(cache, name, { entry: { text: JSON.stringify(hit), seconds: AFFILIATE_SECONDS } });
    return { kind: "hit", record: hit as ImportRecord };
  }
  if (error === "not_configured") return { kind: "not_configured" };
  if (status === "submitted") return { kind: "submitted" };
  if (status === "success") return { kind: "staged" };
  const isKnown = status === "not found" || error === "rejected_isbn";
  return isKnown ? { kind: "nothing" } : logFailure("not an answer");
}

function logFailure(problem: string): LookupAnswer {
  logLine("error", "affiliate", { problem });
  return { kind: "failed" };
}
