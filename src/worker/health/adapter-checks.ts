import type { Settings } from "../context.ts";
import { OutboundFailure, getBytes } from "../outbound/get-bytes.ts";
import { CHECK_MS, type Check } from "./check.ts";

/** Most bytes that are read of another service's answer. */
const ANSWER_BYTES = 16_384;
/** From this status on another service says that it is itself to blame. */
const SERVER_ERROR = 500;

/**
 * Checks of the other services that this one is configured with: does anything answer there? Whatever it answers to an
 * address that it may not have, below 500, says that it is there; what it is worth shows when it is used.
 */
export function adapterChecks(settings: Settings): Check[] {
  return Object.entries(adapterAddresses(settings)).flatMap(([name, address]) =>
    address === "" ? [] : [{ name, isRequired: false, run: () => answers(new URL(address)) }],
  );
}

function adapterAddresses(settings: Settings): Readonly<Record<string, string>> {
  const { IDENTITY_PROVIDER: identity, LENDING: lending, ITEMS: items } = settings;
  return {
    identity: identity === "xauth" ? settings.XAUTH_URL : identity === "oidc" ? discovery(settings) : "",
    lending: lending === "http" ? settings.LENDING_URL : "",
    lending_availability: lending === "http" ? settings.LENDING_AVAILABILITY_URL : "",
    mail: settings.MAIL_URL,
    affiliate: settings.AFFILIATE_URL,
    items: items === "http" ? settings.ITEMS_URL : "",
    cover_fallback: settings.COVER_FALLBACK_BASE,
  };
}

function discovery({ OIDC_ISSUER: issuer }: Settings): string {
  return issuer === "" ? "" : `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

async function answers(url: URL): Promise<undefined> {
  try {
    const asking = { hosts: [url.host], timeoutMs: CHECK_MS, maxBytes: ANSWER_BYTES, cut: true };
    const { status } = await getBytes(url, asking);
    if (status >= SERVER_ERROR) throw new OutboundFailure(`status ${status}`, status);
  } catch (error) {
    // It redirects to another host, which is not followed: it answers.
    const isAnswer = error instanceof OutboundFailure && error.status > 0 && error.status < SERVER_ERROR;
    if (!isAnswer) throw error;
  }
  return undefined;
}
