import type { CarrelError } from "../http/errors.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";

/** Codes of errors that the protocol has (OAI-PMH 2.0, 3.6). */
type OaiErrorCode =
  | "badArgument"
  | "badResumptionToken"
  | "badVerb"
  | "cannotDisseminateFormat"
  | "idDoesNotExist"
  | "noRecordsMatch";

/** What the protocol itself refuses: an answer like others, with status 200. */
export class OaiError extends Error {
  constructor(
    readonly code: OaiErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** An argument that is missing, unknown, repeated, or makes no sense. */
export function badArgument(message: string): OaiError {
  return new OaiError("badArgument", message);
}

/** Q594: a 429 as 503, since harvesters know no other status that they wait at (OAI-PMH 2.0, 3.1.2.2); undefined for other errors. */
export function oaiError({ status, headers }: CarrelError): Reply | undefined {
  if (status !== 429) return undefined;
  return json({ detail: "Too many requests." }, { status: 503, headers, cacheControl: NO_STORE });
}
