import type { Json } from "../record.ts";

/** Where in a document something is wrong. */
export interface FailurePlace {
  readonly key: string;
  readonly property?: string;
}

/** Why a document cannot be saved, as the wire has it (records.md 4.2, 4.5). */
export interface WriteFailure {
  readonly status: 400 | 403 | 404 | 409 | 413 | 503;
  readonly error:
    | "bad_data"
    | "permission_denied"
    | "notfound"
    | "conflict"
    | "too_large"
    | "busy"
    | "read_only";
  readonly message: string;
  /** Key of what is missing, or was changed by somebody else. */
  readonly key?: string;
  readonly at?: FailurePlace;
  readonly value?: Json;
}
