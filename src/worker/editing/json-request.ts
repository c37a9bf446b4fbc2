import type { WriteFailure } from "../../catalog/editing/failure.ts";
import { type OptHeaders, clientKind, readOptHeaders } from "../../catalog/editing/write-request.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { writeError } from "../history/edit-desk.ts";
import type { RequestContext } from "../http/operation.ts";

/** Largest body of a request that writes one record or a few, in bytes. */
export const DOCUMENT_BODY_BYTES = 1024 * 1024;

/** What a request says about its change, by headers or control members. */
export interface ChangeNotes {
  readonly kind: string;
  readonly comment: string | null;
  readonly data: CatalogRecord;
}

/** Comment, kind and data in the headers `Opt` and `42-...`; 400 when they are wrong. */
export function optHeaders({ request }: RequestContext): OptHeaders {
  const headers = readOptHeaders((name) => request.headers.get(name));
  if (isFailure(headers)) throw writeError([headers]);
  return headers;
}

/** What was said about a change, with the kind that it has when nothing was said; 400 for a kind kept from clients. */
export function changeNotes(said: OptHeaders, usualKind: string): ChangeNotes {
  const kind = said.action === undefined ? usualKind : clientKind(said.action);
  if (typeof kind !== "string") throw writeError([kind]);
  return { kind, comment: said.comment ?? null, data: said.data ?? {} };
}

function isFailure(value: OptHeaders | WriteFailure): value is WriteFailure {
  return "status" in value;
}
