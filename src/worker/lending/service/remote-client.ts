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

/** Response of a call for a patron. `isRefused`: status 400 or 409, with which the service refuses an action. */
type PatronAnswer = { isRefused: boolean; json: unknown };

/** Calls an action for an item, as a patron if `fields` contain their keys. Throws `LendingFailure`. */
export async function callLoans(
  options: RemoteOptions,
  { action, identifier }: { action: string; identifier?: string },
  fields: Readonly<Record<string, string>>,
): Promise<PatronAnswer> {
  const url = new URL(`${options.url.replace(/\/$/, "")}/services/loans/loan/`);
  url.searchParams.set("action", action);
  if (identifier !== undefined) url.searchParams.set("identifier", identifier);
  const response = await send(options, url, { method: "POST", body: new URLSearchParams(fields) });
  const isRefused = response.status === 400 || response.status === 409;
  if (!response.ok && !isRefused) throw new LendingFailure(`${action}: status ${response.status}`);
  return { isRefused, json: isRefused ? undefined : await readJson(response) };
}

export async function callChanges(options: RemoteOptions, after: number, limit: number): Promise<unknown> {
  const url = new URL(`${options.url.replace(/\/$/, "")}/services/loans/loan/`);
  url.search = `action=changes&after_uid=${after}&limit=${limit}`;
  return readSuccess(await send(options, url, { headers: authorization(options) }));
}

/** Calls one of the older methods: `loan.query`, `waitinglist.query`. */
export async function callRpc(
  options: RemoteOptions,
  method: string,
  fields: Readonly<Record<string, string>>,
): Promise<unknown> {
  const body = new URLSearchParams({ method, token: options.key, ...fields });
  return readSuccess(await send(options, new URL(options.rpcUrl), { method: "POST", body }));
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
  const response = await send(options, url, { headers: authorization(options) });
  const parsed = availabilities.safeParse(await readSuccess(response));
  if (!parsed.success || !parsed.data.success) throw new LendingFailure("availability: no success");
  return parsed.data.responses;
}

function authorization({ access, key }: RemoteOptions): Record<string, string> {
  return access === "" ? {} : { Authorization: `LOW ${access}:${key}` };
}

async function send(options: RemoteOptions, url: URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("x-preferred-client-id", options.client);
  try {
    // A redirect would send keys elsewhere.
    const signal = AbortSignal.timeout(LENDING_TIMEOUT_MS);
    return await fetch(url, { ...init, headers, redirect: "manual", signal });
  } catch (error) {
    return failWithoutAnswer(error);
  }
}

async function readSuccess(response: Response): Promise<unknown> {
  if (!response.ok) throw new LendingFailure(`status ${response.status}`);
  return readJson(response);
}

async function readJson({ body }: Response): Promise<unknown> {
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
