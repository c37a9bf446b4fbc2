import { formatDatetime } from "../../catalog/datetime.ts";
import { type CatalogRecord, stringsOf } from "../../catalog/record.ts";
import { type SpamRules, SPAM_WORDS_MAX, compileSpamWord, readSpamRules } from "../../catalog/spam.ts";
import { readStoreDocument, writeStoreDocument } from "../../db/service/store.ts";
import { IsolateMemo } from "../http/isolate-cache.ts";
import type { RequestContext } from "../http/operation.ts";
import { failure } from "../http/failure.ts";
import { english } from "../../catalog/texts.ts";

const SPAM_DOMAINS_MAX = 2000;
const SPAM_KEY = "spamwords";
const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

export interface SpamSettings {
  readonly spamwords: string[];
  readonly domains: string[];
  /** Revision of the stored document; 0 if there is none. */
  readonly rev: number;
}

const rules = new IsolateMemo(async (context: RequestContext) =>
  readSpamRules({ ...(await readSpamSettings(context)) }),
);

export function spamRulesOf(context: RequestContext): Promise<SpamRules> {
  return rules.get(context);
}

export async function readSpamSettings({ stores }: RequestContext): Promise<SpamSettings> {
  const stored = await readStoreDocument(stores.patrons, SPAM_KEY);
  // The store holds JSON objects only.
  const { spamwords, domains } = JSON.parse(stored?.document ?? "{}") as CatalogRecord;
  return { spamwords: stringsOf(spamwords), domains: stringsOf(domains), rev: stored?.rev ?? 0 };
}

/**
 * Stores words and domains; blank ones are left out. Throws 400 for the first invalid one, and 409 if another
 * administrator has changed the settings since `rev`.
 */
export async function saveSpamSettings(context: RequestContext, settings: SpamSettings): Promise<void> {
  const spamwords = linesOf(settings.spamwords);
  const domains = linesOf(settings.domains).map((domain) => domain.toLowerCase());
  checkSettings(spamwords, domains);
  const written = await writeStoreDocument(context.stores.patrons, {
    key: SPAM_KEY,
    type: null,
    document: JSON.stringify({ spamwords, domains }),
    updated: formatDatetime(context.now),
    instead: settings.rev,
  });
  if (written === "conflict") {
    const key = "conflict.changed";
    throw failure(key, {}, { body: { error: "conflict", message: english({ key }) } });
  }
  rules.forget(context);
}

function checkSettings(spamwords: readonly string[], domains: readonly string[]): void {
  if (spamwords.length > SPAM_WORDS_MAX) throw failure("bad_data.too_many", { most: SPAM_WORDS_MAX });
  if (domains.length > SPAM_DOMAINS_MAX) throw failure("bad_data.too_many", { most: SPAM_DOMAINS_MAX });
  for (const word of spamwords) {
    const pattern = compileSpamWord(word);
    if (pattern.ok) continue;
    const { key, values } = pattern.problem;
    throw failure(key, values, { members: { value: word } });
  }
  const invalid = domains.find((domain) => !DOMAIN.test(domain));
  if (invalid !== undefined)
    throw failure("bad_data.domain", { value: invalid }, { members: { value: invalid } });
}

/** Splits texts into lines, each once, without surrounding blanks. */
export function linesOf(texts: readonly string[]): string[] {
  const lines = texts.flatMap((text) => text.split("\n")).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ""))];
}
