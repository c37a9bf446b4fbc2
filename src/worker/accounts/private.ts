import { type Reply, json, redirect } from "../reply.ts";

/** Answers about accounts: for the one who asked, and kept by nobody. */
export const PRIVATE = "private, no-store";

/** A JSON answer about an account. */
export function privateJson(value: unknown): Reply {
  return json(value, { cacheControl: PRIVATE });
}

/** Leads to another page after something was done. */
export function seeOther(location: string): Reply {
  return redirect(303, location, { cacheControl: PRIVATE });
}
