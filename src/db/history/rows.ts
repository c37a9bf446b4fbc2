/** `change` in D1 `CATALOG`: a row of the log. `created` is naive UTC. */
export interface ChangeRow {
  readonly id: number;
  readonly kind: string;
  readonly author: string | null;
  readonly comment: string | null;
  readonly bot: number;
  readonly ip: string | null;
  readonly created: string;
  /** JSON text of `[{key, revision}]`; null for a batch of a dump. */
  readonly changes: string | null;
  /** JSON object as text. */
  readonly data: string;
}
