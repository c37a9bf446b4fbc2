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
