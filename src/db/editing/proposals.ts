import type { CatalogRecord } from "../../catalog/record.ts";
import { type Database, type Window, batchGroups, firstRow, firstValue, run } from "../statement.ts";

export const PROPOSAL_STATES = ["open", "accepted", "declined", "withdrawn"] as const;
type ProposalState = (typeof PROPOSAL_STATES)[number];

export interface Proposal {
  readonly id: number;
  /** Key of the record, and its revision when the change was proposed. */
  readonly key: string;
  readonly revision: number;
  /** Members to set; null removes one. */
  readonly changes: CatalogRecord;
  readonly comment: string;
  readonly submitter: string;
  readonly reviewer: string | null;
  readonly note: string;
  readonly state: ProposalState;
  readonly created: string;
  readonly updated: string;
}

type ProposalRow = Omit<Proposal, "changes"> & { readonly changes: string };

function proposalOf({ changes, ...row }: ProposalRow): Proposal {
  // JSON column that only this service writes.
  return { ...row, changes: JSON.parse(changes) as CatalogRecord };
}

type NewProposal = Pick<Proposal, "key" | "revision" | "changes" | "comment" | "submitter" | "created">;

/** Stores a proposal and returns its number; undefined if the submitter has `most` open ones already. */
export function createProposal(
  database: Database,
  { key, revision, changes, comment, submitter, created }: NewProposal,
  most: number,
): Promise<number | undefined> {
  return firstValue<number>(database, {
    sql: `INSERT INTO proposal (key, revision, changes, comment, submitter, created, updated)
          SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6
          WHERE (SELECT count(*) FROM proposal WHERE submitter = ?5 AND state = 'open') < ?7 RETURNING id`,
    values: [key, revision, JSON.stringify(changes), comment, submitter, created, most],
  });
}

export async function readProposal(database: Database, id: number): Promise<Proposal | undefined> {
  const row = await firstRow<ProposalRow>(database, {
    sql: "SELECT * FROM proposal WHERE id = ?1",
    values: [id],
  });
  return row && proposalOf(row);
}

interface ProposalFilter extends Window {
  readonly state: ProposalState;
  /** Undefined for those of all submitters. */
  readonly submitter: string | undefined;
}

/** Reads a page of proposals, last changed first, and the total number. One round trip. */
export async function listProposals(
  database: Database,
  { state, submitter, limit, offset }: ProposalFilter,
): Promise<{ proposals: Proposal[]; total: number }> {
  const where = submitter === undefined ? "state = ?1" : "state = ?1 AND submitter = ?2";
  const values = submitter === undefined ? [state] : [state, submitter];
  const places = [values.length + 1, values.length + 2];
  const page = await batchGroups<{ proposals: ProposalRow; total: { total: number } }>(database, {
    proposals: {
      sql: `SELECT * FROM proposal WHERE ${where} ORDER BY updated DESC, id DESC LIMIT ?${places[0]} OFFSET ?${places[1]}`,
      values: [...values, limit, offset],
    },
    total: { sql: `SELECT count(*) AS total FROM proposal WHERE ${where}`, values },
  });
  return { proposals: page.proposals.map(proposalOf), total: page.total[0]?.total ?? 0 };
}

type Decision = Pick<Proposal, "state" | "reviewer" | "note" | "updated">;

/** Closes an open proposal, and returns false if there is none. */
export async function closeProposal(
  database: Database,
  id: number,
  { state, reviewer, note, updated }: Decision,
): Promise<boolean> {
  const changed = await run(database, {
    sql: `UPDATE proposal SET state = ?2, reviewer = ?3, note = ?4, updated = ?5 WHERE id = ?1 AND state = 'open'`,
    values: [id, state, reviewer, note, updated],
  });
  return changed > 0;
}
