import { MIB } from "../../../catalog/units.ts";
import * as z from "zod";
import { boundedBytes } from "../../http/bytes.ts";

/** Timeout of the lending service, in milliseconds. Calls that change data are never retried. */
const LENDING_TIMEOUT_MS = 10_000;
export const LENDING_ANSWER_BYTES = 4 * MIB;
/** Items per availability call: the address contains their ids. */
export const LENDING_IDS_AT_ONCE = 100;
export const LENDING_CACHE_SECONDS = 300;

export interface RemoteOptions {
  /** Base address of `services/loans/loan/`. */
  readonly url: string;
  readonly availabilityUrl: string;
  /** Address of the older calls by method; they send the key as `token`. */
  readonly rpcUrl: string;
  readonly access: string;
  readonly key: string;
  /** Address of the client on whose behalf the service is called. */
  readonly client: string;
}

export class LendingFailure extends Error {}

export interface PatronKeys {
  readonly access: string;
  readonly secret: string;
}

/**
 * Calls an action for an item, as a patron if `fields` contain their keys. Undefined if the service refuses it, with
 * status 400 or 409. Throws `LendingFailure`.
 */
export async function callLoans(
  options: RemoteOptions,
  { action, identifier }: { action: string; identifier?: string },
  fields: Readonly<Record<string, string>>,
): Promise<unknown> {
  const url = new URL(`${options.url.replace(/\/$/, "")}/services/loans/loan/`);
  url.searchParams.set("action", action);
  if (identifier !== undefined) url.searchParams.set("identifier", identifier);
  return send(options, url, { method: "POST", body: new URLSearchParams(fields) }, action);
}

export async function callChanges(options: RemoteOptions, after: number, limit: number): Promise<unknown> {
  const url = new URL(`${options.url.replace(/\/$/, "")}/services/loans/loan/`);
  url.search = `action=changes&after_uid=${after}&limit=${limit}`;
  return send(options, url, { headers: authorization(options) });
}

/** Calls one of the older methods: `loan.query`, `waitinglist.query`. */
export async function callRpc(
  options: RemoteOptions,
  method: string,
  fields: Readonly<Record<string, string>>,
): Promise<unknown> {
  const body = new URLSearchParams({ method, token: options.key, ...fields });
  return send(options, new URL(options.rpcUrl), { method: "POST", body });
}

const availabilities = z.object({
  success: z.boolean(),
  responses: z.record(z.string(), z.looseObject({ status: z.string() })).default({}),
});
export type RemoteAvailability = { readonly status: string } & Readonly<Record<string, unknown>>;

export async function callAvailability(options: RemoteOptions, ocaids: readonly string[]) {
  const url = new URL(options.availabilityUrl);
  url.searchParams.set("identifier", ocaids.join(","));
  url.searchParams.set("scope", "printdisabled");
  const parsed = availabilities.safeParse(await send(options, url, { headers: authorization(options) }));
  if (!parsed.success || !parsed.data.success) throw new LendingFailure("availability: no success");
  return parsed.data.responses;
}

function authorization({ access, key }: RemoteOptions): Record<string, string> {
  return access === "" ? {} : { Authorization: `LOW ${access}:${key}` };
}

/** Returns the JSON of a response; undefined if the service refuses an `action`. */
async function send(options: RemoteOptions, url: URL, init: RequestInit, action?: string): Promise<unknown> {
  const headers = new Headers(init.headers);
  headers.set("x-preferred-client-id", options.client);
  // A redirect would send keys elsewhere.
  const fetching = {
    ...init,
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(LENDING_TIMEOUT_MS),
  } as const;
  const { ok, status, body } = await fetch(url, fetching).catch(failWithoutAnswer);
  if (action !== undefined && (status === 400 || status === 409)) return undefined;
  if (!ok) throw new LendingFailure(`${action === undefined ? "" : `${action}: `}status ${status}`);
  const bytes = await boundedBytes(body, { limit: LENDING_ANSWER_BYTES }).catch(failWithoutAnswer);
  if (bytes === undefined) throw new LendingFailure(`an answer of more than ${LENDING_ANSWER_BYTES} bytes`);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new LendingFailure("an answer that is no JSON");
  }
}

function failWithoutAnswer(error: unknown): never {
  throw new LendingFailure(`no answer: ${String(error)}`);
}
