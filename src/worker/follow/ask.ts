import { type Json, parsedJson } from "../../catalog/record.ts";
import type { Position } from "../../import/follow/position.ts";
import { OutboundFailure, getBytes } from "../platform/outbound.ts";

/** The longest wait of one request for an answer, in milliseconds, and its largest answer: a hundred whole records. */
const ANSWER_MS = 30_000;
const ANSWER_BYTES = 32 * 1024 * 1024;
/** The first wait after a failure, in milliseconds; each further one is twice as long, up to five minutes. */
const FIRST_WAIT_MS = 5000;
const WAIT_MS_MAX = 300_000;
/** Statuses of a service that is there, and fails at what it was asked for: not at everything. */
const AT_THIS: ReadonlySet<number> = new Set([200, 400, 405, 414, 422, 500]);
/** The longest patience that another service gets when it asks for some, in milliseconds. */
const PATIENCE_MS_MAX = 86_400_000;

/** How the other service is asked. */
export interface Manners {
  /** Requests a second. */
  readonly rate: number;
  /** Who asks: a mail or web address. */
  readonly contact: string;
}

/** The other service does not answer at present, or asks for patience. */
export class Unanswered extends Error {
  /** How long it wants to be left alone, in milliseconds; 0: it does not say. */
  readonly patience: number;
  /** True when it may well answer for something else. */
  readonly isAtThis: boolean;

  constructor(message: string, { status = 0, patience = 0 } = {}) {
    super(message);
    this.patience = patience;
    this.isAtThis = AT_THIS.has(status);
  }
}

/** What it answered: JSON, or undefined where there is nothing (any more), with the status. */
interface Answer {
  readonly status: number;
  readonly json: Json | undefined;
}

/** Asks the other service for something. Throws `Unanswered` where it is to be asked again later. */
export async function ask(address: string, { contact }: Manners, now: number): Promise<Answer> {
  const url = new URL(address);
  const place = url.origin + url.pathname;
  const name = `Carrel/1.0 (follow${contact === "" ? "" : `; ${contact}`})`;
  const headers = { Accept: "application/json", "User-Agent": name };
  const asking = { hosts: [url.host], timeoutMs: ANSWER_MS, maxBytes: ANSWER_BYTES, headers };
  const answer = await getBytes(url, asking).catch((error: unknown) => {
    throw error instanceof OutboundFailure ? new Unanswered(`${place}: ${error.message}`, error) : error;
  });
  const { status, bytes, retryAfter } = answer;
  if (status === 404 || status === 410) return { status, json: undefined };
  if (status !== 200) {
    throw new Unanswered(`${place} answered ${status}`, { status, patience: patienceOf(retryAfter, now) });
  }
  const json = parsedJson(new TextDecoder().decode(bytes));
  if (json === undefined) throw new Unanswered(`${place} answered no JSON`, { status });
  return { status, json };
}

/** `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
function patienceOf(header: string | null, now: number): number {
  if (header === null) return 0;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), PATIENCE_MS_MAX);
}

/** The position after a request that has failed: nothing is asked for a while, ever longer. */
export function afterFailure(position: Position, error: Unanswered, now: number): Position {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** position.failures, WAIT_MS_MAX);
  const wait = Math.max(error.patience, backoff);
  return {
    ...position,
    failures: Math.min(position.failures + 1, 30),
    after: Math.ceil(now + wait),
    problem: error.message,
  };
}
