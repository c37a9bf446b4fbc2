import { setTimeout } from "node:timers/promises";
import { CommandError } from "./command.ts";
import { DEFAULT_STATE } from "./paths.ts";
import { addressOf, knownToken } from "./local-state.ts";

/** Attempts per request, with waits of 0.5, 1, 2, ... seconds. */
const ATTEMPTS = 8;
const FIRST_WAIT_MS = 500;
/** Maximum `Retry-After` that is honoured, in seconds. */
const RETRY_SECONDS_MAX = 60;

/** Options of commands that call a running service. */
export const TARGET_OPTIONS = {
  url: { type: "string" },
  token: { type: "string" },
  state: { type: "string", default: process.env["STATE_DIR"] ?? DEFAULT_STATE },
} as const;

export const TARGET_HELP = `  --url URL      the service (default: that of the local state)
  --token TOKEN  its LOAD_TOKEN (default $LOAD_TOKEN, or that of the local state)
  --state DIR    state of the local service (default .wrangler/state/v3, or $STATE_DIR)
  --help         this text`;

/** Service that a command calls. With `index: "later"`, index-client.ts updates the search index after a load. */
export type Target = Client & { url: string; token: string; index?: "now" | "later" };
/** Replaceable by tests. */
interface Client {
  fetch: typeof fetch;
  sleep?: (ms: number) => Promise<unknown>;
}
interface Call {
  method?: string;
  json?: unknown;
  body?: string | Uint8Array<ArrayBuffer>;
  type?: string;
}

/** The service rejects a request, and a retry would not help. */
export class RefusedError extends CommandError {
  status;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Place {
  url?: string | undefined;
  token?: string | undefined;
  state: string;
}

/** Returns the given URL, or that of the service that uses the local state. */
async function urlOf({ url: given, state }: Place) {
  const url = given ?? (await addressOf(state));
  if (url === undefined) {
    throw new CommandError(
      `No service runs with the state ${state}. Start it, or name another one with --url.`,
    );
  }
  return url.replace(/\/$/, "");
}

/** Returns the service at the given URL, or of the local state, with the given token or that of the local state. */
export async function targetOf({ token: given, ...place }: Place): Promise<Target> {
  const { state } = place;
  const url = await urlOf(place);
  const token = given ?? process.env["LOAD_TOKEN"] ?? (await knownToken(state));
  if (token === undefined) throw new CommandError(`There is no token in ${state}. Give one with --token.`);
  return { url, token, fetch };
}

// oxlint-disable-next-line typescript/no-explicit-any -- callers state the type
type Json = any;

/** Calls an operator's route and returns its JSON. */
export async function call(
  target: Target,
  path: string,
  { method = "GET", json, body, type }: Call = {},
): Promise<Json> {
  const { url, token } = target;
  const headers = {
    Accept: "application/json",
    Authorization: `Bearer ${token}`,
    "Content-Type": type ?? (json === undefined ? "application/octet-stream" : "application/json"),
  };
  const sent = json === undefined ? (body ?? null) : JSON.stringify(json);
  return JSON.parse(await request(target, url + path, { method, headers, body: sent }));
}

/** Sends a request and returns the response text. Throws a `RefusedError` for an error status. */
export async function request(client: Client, address: string, init?: RequestInit) {
  const { ok, status, body } = await answered(client, address, init);
  if (!ok) throw new RefusedError(status, problemOf(address, status, body));
  return body.toString();
}

/** Sends a request, and retries after 429, 5xx and network errors. */
export async function answered(
  { fetch: send, sleep = setTimeout }: Client,
  address: string,
  init?: RequestInit,
) {
  for (let attempt = 1; ; attempt += 1) {
    let problem;
    let wait = 0;
    try {
      const response = await send(address, init);
      const { ok, status, headers } = response;
      const body = Buffer.from(await response.arrayBuffer());
      if (status !== 429 && status < 500) return { ok, status, body };
      problem = problemOf(address, status, body);
      const seconds = Number(headers.get("Retry-After"));
      if (seconds <= RETRY_SECONDS_MAX) wait = seconds * 1000;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const { message } = error.cause instanceof Error ? error.cause : error;
      problem = `${address} cannot be reached: ${message}`;
    }
    if (attempt === ATTEMPTS) throw new CommandError(problem);
    await sleep(Math.max(wait, FIRST_WAIT_MS * 2 ** (attempt - 1)));
  }
}

function problemOf(address: string, status: number, body: Buffer) {
  const text = body.toString();
  const message = /^\{"error":"\w+","message":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  return `${address} answered ${status}: ${message === undefined ? text.slice(0, 300) : JSON.parse(message)}`;
}
