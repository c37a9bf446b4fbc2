import * as z from "zod";
import { COLOR } from "../../../catalog/color.ts";
import type { CatalogRecord } from "../../../catalog/record.ts";
import { readStoreDocument } from "../../../db/service/store.ts";
import type { Database } from "../../../db/statement.ts";
import { IsolateMemo } from "../isolate-cache.ts";
import { logLine, loggable } from "../log.ts";
import type { RequestContext } from "../operation.ts";
import { type SiteSettings, DEFAULT_SITE, LANGUAGES } from "./reader.ts";
import type { Settings } from "../settings.ts";

/** Key of the settings in `store_document` of D1 `PATRONS`. */
export const SITE_KEY = "site";

/** Most characters of the name, of the sentence, and of each of the texts. */
export const SITE_LENGTHS = { name: 60, sentence: 200, text: 20_000 } as const;

const text = (most: number) => z.string().max(most);
const color = z.union([z.literal(""), z.string().regex(COLOR)]);

/** Settings of `/admin/site`. A stored value that is not valid any more counts as not set. */
export const siteSchema = z.object({
  name: text(SITE_LENGTHS.name).min(1).describe("Name of the service"),
  sentence: text(SITE_LENGTHS.sentence).describe(
    "Describes the catalog; empty for the sentence of the software",
  ),
  logo: z.object({ file: z.string(), width: z.int(), height: z.int() }).nullable(),
  color: color.describe("Accent color on light pages, such as `#175a45`; empty for that of the software"),
  color_dark: color.describe("Accent color on dark pages; empty for a light shade of `color`"),
  language: z
    .enum(LANGUAGES)
    .describe("Language of the texts, and of pages for readers of no offered language"),
  languages: z.array(z.enum(LANGUAGES)).describe("Languages of the pages"),
  contact: text(SITE_LENGTHS.text).describe("Email address or URL"),
  imprint: text(SITE_LENGTHS.text).describe("URL, or text in Markdown"),
  privacy: text(SITE_LENGTHS.text).describe("URL, or text in Markdown"),
  terms: text(SITE_LENGTHS.text).describe("URL, or text in Markdown"),
  shelves: z
    .array(z.string())
    .describe("Shelves of the first page, in order; one empty text for those of the software"),
});

/** Settings with the revision that they are stored under; 0 if they were never changed. */
export interface StoredSite {
  readonly site: SiteSettings;
  readonly rev: number;
}

export async function readSite(
  patrons: Database,
  { SITE_NAME: name }: Pick<Settings, "SITE_NAME">,
): Promise<StoredSite> {
  const stored = await readStoreDocument(patrons, SITE_KEY);
  // The store holds JSON objects only.
  const document = JSON.parse(stored?.document ?? "{}") as CatalogRecord;
  const valid = Object.entries(siteSchema.shape).flatMap(([member, schema]) => {
    const { success, data } = schema.safeParse(document[member]);
    return success ? [[member, data]] : [];
  });
  return { site: { ...DEFAULT_SITE, name, ...Object.fromEntries(valid) }, rev: stored?.rev ?? 0 };
}

/** Age of the settings in an isolate. With the caches of answers, changes are seen within a minute everywhere. */
const SITE_TTL_MS = 20_000;

/** Settings of the site by isolate. Pages are shown with those of the software while the database does not answer. */
export const siteSettings = new IsolateMemo(async ({ stores, settings }: RequestContext) => {
  try {
    return (await readSite(stores.patrons.withSession("first-unconstrained"), settings)).site;
  } catch (error) {
    logLine("error", "site-settings", { problem: String(loggable(error)) });
    return { ...DEFAULT_SITE, name: settings.SITE_NAME };
  }
}, SITE_TTL_MS);
