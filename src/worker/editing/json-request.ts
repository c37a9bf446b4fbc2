import { type OptHeaders, clientKind, readOptHeaders } from "../../catalog/editing/write-request.ts";
import { writeError } from "../history/edit-desk.ts";
import type { RequestContext } from "../http/operation.ts";

/** Largest body of a request that writes one record or a few, in bytes. */
export const DOCUMENT_BODY_BYTES = 1024 * 1024;

/** Reads comment, kind and data from the headers `Opt` and `42-...`. Throws 400 if they are invalid. */
export function optHeaders({ request }: RequestContext): OptHeaders {
  const headers = readOptHeaders((name) => request.headers.get(name));
  if ("status" in headers) throw writeError([headers]);
  return headers;
}

/**
 * Returns kind, comment and data of a change, with `usualKind` if none was sent. Throws 400 for a kind reserved for the
 * service.
 */
export function changeNotes(said: OptHeaders, usualKind: string) {
  const kind = said.action === undefined ? usualKind : clientKind(said.action);
  if (typeof kind !== "string") throw writeError([kind]);
  return { kind, comment: said.comment ?? null, data: said.data ?? {} };
}
