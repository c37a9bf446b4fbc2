import { failure } from "../../http/failure.ts";
import { logLine } from "../../http/log.ts";
import type { RequestContext } from "../../http/operation.ts";
import { EmbeddedLending } from "./embedded.ts";
import { remotePatrons } from "./patron-keys.ts";
import { LendingFailure } from "./remote-client.ts";
import { RemoteLending } from "./remote.ts";
import type { LendingService } from "./lending-service.ts";

const LENDING_URLS = ["LENDING_URL", "LENDING_AVAILABILITY_URL", "LENDING_RPC_URL"] as const;

export function lendingOf(
  context: Pick<RequestContext, "now" | "settings" | "stores" | "sources" | "client">,
): LendingService {
  const { settings, stores, client } = context;
  if (settings.LENDING !== "http") return new EmbeddedLending(context);
  const { LENDING_URL: url, LENDING_AVAILABILITY_URL: availabilityUrl, LENDING_RPC_URL: rpcUrl } = settings;
  const missing = LENDING_URLS.filter((name) => settings[name] === "");
  if (missing.length > 0) throw failure("unavailable.settings", { settings: missing.join(", ") });
  const { LENDING_ACCESS: access, LENDING_KEY: key } = settings;
  const options = { url, availabilityUrl, rpcUrl, access, key, client };
  return reportFailures(new RemoteLending(options, remotePatrons(context), stores.cache));
}

/** Wraps a service: its failures are logged, and become a 503 without details of the other service. */
function reportFailures(service: LendingService): LendingService {
  return new Proxy(service, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (...values: unknown[]): Promise<unknown> => {
        try {
          return await method.apply(target, values);
        } catch (error) {
          if (!(error instanceof LendingFailure)) throw error;
          logLine("error", "lending", { call: String(name), problem: error.message });
          throw failure("unavailable.lending");
        }
      };
    },
  });
}
