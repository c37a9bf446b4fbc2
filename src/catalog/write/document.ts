import type { PreparedWrite } from "./prepare.ts";

/** What a revision is stored with besides what was sent. */
export interface RevisionEnvelope {
  readonly revision: number;
  /** Time of revision 1, naive UTC with six fraction digits. */
  readonly created: string;
  /** Time of this revision, naive UTC with six fraction digits. */
  readonly now: string;
}

/** JSON text of a revision as it stays for ever, with its envelope in front and at the end (records.md 1.1). */
export function documentText(
  { key, type, members }: Pick<PreparedWrite, "key" | "type" | "members">,
  { revision, created, now }: RevisionEnvelope,
): string {
  return JSON.stringify({
    key,
    type: { key: type },
    ...members,
    latest_revision: revision,
    revision,
    created: { type: "/type/datetime", value: created },
    last_modified: { type: "/type/datetime", value: now },
  });
}
