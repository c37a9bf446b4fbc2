import type { RequestContext } from "../http/operation.ts";
import { httpAffiliate } from "./http-affiliate.ts";
import type { AffiliateLookup } from "./lookup.ts";

const NOBODY: AffiliateLookup = {
  isConfigured: false,
  lookUp: () => Promise.resolve({ kind: "not_configured" }),
};

/** Who is asked, by the setting `AFFILIATE_URL`; without it nobody, and no call leaves the service. */
export function affiliateOf({
  settings,
  stores,
}: Pick<RequestContext, "settings" | "stores">): AffiliateLookup {
  const { AFFILIATE_URL: url } = settings;
  return url === "" ? NOBODY : httpAffiliate(url, stores.cache);
}
