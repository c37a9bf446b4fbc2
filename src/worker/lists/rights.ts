import { readRecord } from "../../db/records/records.ts";
import { CarrelError, forbidden, notFound } from "../http/errors.ts";
import { mayWriteLists } from "../http/access.ts";
import type { Actor, RequestContext } from "../http/operation.ts";
import { listNotFound } from "./operation.ts";

/** 403 of somebody who may not change a list. */
export function listDenied(): CarrelError {
  return forbidden("Permission denied.");
}

/** 400 of a request about a list. */
export function badList(message: string): CarrelError {
  return new CarrelError(400, "bad_data", { message });
}

/**
 * Does something with a list; the errors of saving become those of lists: `{"detail"}` with their
 * status, a record that is not there is a seed that was not found, and who may not write is not told why.
 */
export async function withListErrors<Result>(list: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof CarrelError ? listError(error, list) : error;
  }
}

function listError(error: CarrelError, list: string): CarrelError {
  const { status, code, message, body, headers } = error;
  // Q257: errors of saving say `error`; all others are as they should be.
  if (body === null || !("error" in body)) return error;
  if (status === 403) return listDenied();
  const { key } = body;
  if (status === 404) return key === list ? listNotFound() : badList(`Seed not found: ${String(key)}`);
  return new CarrelError(status, code, { message, headers });
}

/**
 * Who may make lists below a patron: 404 when there is no such patron, then 403 for others than him and administrators
. Returns the key of the patron.
 */
export async function requireOwner(context: RequestContext, username: string): Promise<string> {
  const key = `/people/${username}`;
  const row = await readRecord(context.stores.catalog, key);
  if (row?.type !== "/type/user") throw notFound();
  await requireListWriter(context, key);
  return key;
}

/** Refuses who may not write lists of this owner; undefined is the community, of which everybody is who has a session. */
export async function requireListWriter(context: RequestContext, owner: string | undefined): Promise<Actor> {
  const actor = await context.actor();
  if (!mayWriteLists(actor, owner)) throw listDenied();
  return actor;
}
