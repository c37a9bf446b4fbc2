import { parseAllowedUrl } from "../../catalog/allowed-url.ts";
import { boundedBytes } from "../http/bytes.ts";

const OUTBOUND_HOPS_MAX = 3;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Error of a call to another service. `status` is the HTTP status, 0 without an answer. */
export class OutboundFailure extends Error {
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.name = "OutboundFailure";
    this.status = status;
  }
}

export interface OutboundRequest {
  /** Hosts that may answer: redirects to other hosts are not followed. */
  readonly hosts: readonly string[];
  /** True if hosts below those may answer, too. */
  readonly subdomains?: boolean;
  /** Returns true for addresses at the hosts that redirects may lead to; all of them if absent. */
  readonly mayFollow?: (url: URL) => boolean;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly cut?: boolean;
  readonly method?: "GET" | "HEAD";
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answer of another service, with any status; `bytes` is empty unless it was a success. */
export interface OutboundResponse {
  readonly status: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly retryAfter: string | null;
}

/** Reads a URL of another service within limits of time, size and hosts. Throws `OutboundFailure`. */
export async function getBytes(url: URL, request: OutboundRequest): Promise<OutboundResponse> {
  const signal = AbortSignal.timeout(request.timeoutMs);
  try {
    const response = await fetchFollowing(url, request, signal);
    const { status, headers } = response;
    const contentType = headers.get("Content-Type") ?? "";
    const retryAfter = headers.get("Retry-After");
    const answer = { status, contentType, retryAfter };
    if (response.ok) return { ...answer, bytes: await readBytes(response, request) };
    await response.body?.cancel();
    return { ...answer, bytes: new Uint8Array() };
  } catch (error) {
    if (error instanceof OutboundFailure) throw error;
    throw new OutboundFailure(
      signal.aborted ? `no answer within ${request.timeoutMs} ms` : `no answer: ${String(error)}`,
    );
  }
}

async function fetchFollowing(url: URL, request: OutboundRequest, signal: AbortSignal): Promise<Response> {
  const { method = "GET", headers = {} } = request;
  let target = url;
  for (let hop = 0; ; hop += 1) {
    const response = await fetch(target, { method, headers, redirect: "manual", signal });
    const location = response.headers.get("Location");
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = nextTarget(location, target, request);
    if (next === undefined) throw new OutboundFailure("redirected to another host", response.status);
    if (request.mayFollow?.(next) === false) {
      throw new OutboundFailure("redirected to another address", response.status);
    }
    if (hop === OUTBOUND_HOPS_MAX) throw new OutboundFailure("redirected too often", response.status);
    target = next;
  }
}

/** Returns the target of a redirect; undefined if it is not allowed, for instance because it gives up encryption. */
function nextTarget(location: string, from: URL, { hosts, subdomains = false }: OutboundRequest) {
  const address = URL.parse(location, from.href)?.href ?? null;
  const next = parseAllowedUrl(address, hosts, { subdomains });
  return from.protocol === "https:" && next?.protocol !== "https:" ? undefined : next;
}

async function readBytes({ body, status }: Response, { maxBytes, cut = false }: OutboundRequest) {
  const bytes = await boundedBytes(body, { limit: maxBytes, cut });
  if (bytes === undefined) throw new OutboundFailure(`an answer of more than ${maxBytes} bytes`, status);
  return bytes;
}
