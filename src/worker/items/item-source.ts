import type { RequestContext } from "../context.ts";
import { archiveItems } from "./archive-items.ts";
import { httpItems } from "./http-items.ts";
import { type ItemSource, ItemsFailure } from "./item.ts";

/** Who needs items: a request, or a job. */
export type ItemCaller = Pick<RequestContext, "settings" | "stores">;

/** Where items are, by the settings `ITEMS` and `ITEMS_URL`. `inHurry`: for a page that somebody waits for. */
export function itemSource({ settings, stores }: ItemCaller, { inHurry = false } = {}): ItemSource {
  const { ITEMS, ITEMS_URL: url, COVER_HOSTS: coverHosts } = settings;
  if (ITEMS === "archive") return archiveItems(stores.archive);
  if (url === "") return NOT_CONFIGURED;
  return httpItems({ url, coverHosts, cache: stores.cache, inHurry, wait: (ms) => scheduler.wait(ms) });
}

const missing = (): Promise<never> =>
  Promise.reject(new ItemsFailure("ITEMS is http, and no ITEMS_URL is configured.", false));
const NOT_CONFIGURED: ItemSource = { metadata: missing, file: missing, range: missing, cover: missing };
