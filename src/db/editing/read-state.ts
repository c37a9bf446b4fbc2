import { MIB } from "../../catalog/units.ts";
import { parseDocument } from "../../catalog/document.ts";
import { referencesOf } from "../../catalog/editing/prepare.ts";
import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { ADMIN_USER } from "../../catalog/roles.ts";
import {
  type PermissionRows,
  type Permissions,
  SERVICE_PERMISSIONS,
  permissionStatements,
  permissionsOf,
} from "../records/permissions.ts";
import type { RecordColumns } from "../records/record-rows.ts";
import { type Database, type Statement, batchGroups, overList } from "../statement.ts";
import { type SequenceRow, sequencesStatement } from "./numbers.ts";
import { type ChangeScope, type Writer, requestKeys, keysOfChange } from "./request.ts";

/** Maximum bytes of stored documents per change. All of them are in memory at once. */
const STORED_BYTES = 32 * MIB;

export type StoredNow = StoredForWrite & Pick<RecordColumns, "created" | "change">;

export type StoredRow = Omit<StoredNow, "document"> & Pick<RecordColumns, "document">;

/** Consistent snapshot that a change is checked against. */
export interface SaveState {
  readonly isReadOnly: boolean;
  /** False if the stored documents exceed `STORED_BYTES`; `stored` is then incomplete. */
  readonly isComplete: boolean;
  readonly stored: ReadonlyMap<string, StoredNow>;
  readonly referenceTypes: ReadonlyMap<string, string>;
  readonly permissions: Permissions;
  /** Time of the newest change, naive UTC; "" if there is none. */
  readonly newest: string;
  /** Highest numbers of the requested sequences. Unused ones are absent. */
  readonly sequences: ReadonlyMap<string, number>;
}

interface StateRows extends PermissionRows {
  service: { readOnly: number | boolean; newest: string | null };
  sequences: SequenceRow;
  stored: Omit<StoredRow, "document"> & { document: string | null };
  types: { key: string; type: string };
}

export const BYTES = `SELECT coalesce(sum(octet_length(r.document)), 0) AS bytes
  FROM json_each(?1) e JOIN record r ON r.key = e.value`;
/** SQL of the stored records of some keys, without any document if they exceed the limit together. */
const STORED = `SELECT r.id, r.key, r.type, r.revision, r.created, r.change_id AS change,
    CASE WHEN (${BYTES}) <= ${STORED_BYTES} THEN r.document END AS document
  FROM json_each(?1) e JOIN record r ON r.key = e.value`;
export const TYPES = "SELECT r.key, r.type FROM json_each(?1) e JOIN record r ON r.key = e.value";
const SERVICE: Statement = {
  sql: `SELECT EXISTS (SELECT 1 FROM service_state WHERE name = 'read_only' AND value = 'on') AS readOnly,
          (SELECT created FROM change ORDER BY id DESC LIMIT 1) AS newest`,
  values: [],
};

/**
 * Reads everything that documents are checked against, and the highest numbers of `sequences`. One round trip for any
 * number of documents.
 */
export async function readState(
  database: Database,
  change: ChangeScope,
  sequences: readonly string[] = [],
): Promise<SaveState> {
  const { documents, writer } = change;
  const { author } = writer;
  const keys = keysOfChange(change);
  const rows = await batchGroups<StateRows>(database, {
    service: SERVICE,
    sequences: sequences.length === 0 ? [] : sequencesStatement(sequences),
    stored: overList(keys, STORED),
    types: overList(referencesOf(documents), TYPES),
    ...(author === null || isExempt(writer)
      ? { places: [], permissions: [], groups: [] }
      : permissionStatements(author, requestKeys(documents))),
  });
  const stored = rows.stored.flatMap(({ document, ...row }) =>
    document === null ? [] : toStoredNow({ ...row, document }),
  );
  return {
    isReadOnly: Boolean(rows.service[0]?.readOnly),
    isComplete: stored.length === rows.stored.length,
    stored: new Map(stored.map((record) => [record.key, record])),
    referenceTypes: new Map(rows.types.map(({ key, type }) => [key, type])),
    permissions: isExempt(writer) ? SERVICE_PERMISSIONS : permissionsOf(author, rows),
    newest: rows.service[0]?.newest ?? "",
    sequences: new Map(rows.sequences.map(({ name, value }) => [name, value])),
  };
}

function isExempt({ author, authority }: Writer): boolean {
  return authority === "service" || author === ADMIN_USER;
}

/** Converts a row to a record with its document parsed. */
export function toStoredNow({ id, key, type, revision, created, change, document }: StoredRow): StoredNow {
  return { id, key, type, revision, created, change, document: parseDocument(document) };
}
