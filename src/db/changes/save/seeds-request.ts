import type { SaveRequest, SaveResult } from "./request.ts";

/**
 * A change of the seeds of a list, or of the works of a series (patrons.md 14.7). Plain data: it travels to a Durable
 * Object, which reads the list when nobody else is changing it.
 */
export interface SeedsRequest extends Pick<SaveRequest, "writer" | "now"> {
  /** Key of the list or series. */
  readonly list: string;
  /** JSON array as text: seeds as they are stored, each once. */
  readonly add: string;
  /** Keys of seeds. */
  readonly remove: readonly string[];
  /** What is told of the change, as JSON text: `{add, remove}` as they were sent. */
  readonly sent: string;
}

/** What became of it: `revision` is the list's, the new one or that which it has. */
export type SeedsResult =
  | (SaveResult & { readonly ok: true; readonly revision: number })
  | (SaveResult & { readonly ok: false });
