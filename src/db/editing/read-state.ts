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
import { READ_ONLY } from "../service/service-state.ts";
import { type Database, type Statement, batchGroups, overList } from "../statement.ts";
import { type AuthorReferences, queryAuthorReferences } from "./author-references.ts";
import { type ChangeScope, type Writer, keysOf, keysOfChange } from "./request.ts";

/** Maximum bytes of stored documents per change. All of them are in memory at once. */
const STORED_BYTES = 32 * 1024 * 1024;

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
  readonly authorReferences: readonly AuthorReferences[];
  /** Time of the newest change, naive UTC; "" if there is none. */
  readonly newest: string;
}

interface StateRows extends PermissionRows {
  readOnly: unknown;
  newest: { created: string };
  bytes: { bytes: number };
  stored: StoredRow;
  types: { key: string; type: string };
  references: { author: string; total: number; keys: string };
}

export const BYTES = `SELECT coalesce(sum(octet_length(r.document)), 0) AS bytes
  FROM json_each(?1) e JOIN record r ON r.key = e.value`;
const STORED = `SELECT r.id, r.key, r.type, r.revision, r.created, r.change_id AS change, r.document
  FROM json_each(?1) e JOIN record r ON r.key = e.value WHERE (${BYTES}) <= ${STORED_BYTES}`;
export const TYPES = "SELECT r.key, r.type FROM json_each(?1) e JOIN record r ON r.key = e.value";
const NEWEST: Statement = { sql: "SELECT created FROM change ORDER BY id DESC LIMIT 1", values: [] };

/** Reads everything that documents are checked against. One round trip for any number of documents. */
export async function readState(database: Database, change: ChangeScope): Promise<SaveState> {
  const { documents, writer } = change;
  const { author } = writer;
  const keys = keysOfChange(change);
  const rows = await batchGroups<StateRows>(database, {
    readOnly: READ_ONLY,
    newest: NEWEST,
    bytes: overList(keys, BYTES),
    stored: overList(keys, STORED),
    types: overList(referencesOf(documents), TYPES),
    references: queryAuthorReferences(documents),
    ...(author === null || isExempt(writer)
      ? { places: [], permissions: [], groups: [] }
      : permissionStatements(author, keysOf(documents))),
  });
  const bytes = rows.bytes.reduce((sum, part) => sum + part.bytes, 0);
  return {
    isReadOnly: rows.readOnly.length > 0,
    isComplete: bytes <= STORED_BYTES,
    stored: new Map(rows.stored.map((row) => [row.key, toStoredNow(row)])),
    referenceTypes: new Map(rows.types.map(({ key, type }) => [key, type])),
    permissions: isExempt(writer) ? SERVICE_PERMISSIONS : permissionsOf(author, rows),
    // Column built by json_group_array from keys.
    authorReferences: rows.references.map((row) => ({ ...row, keys: JSON.parse(row.keys) as string[] })),
    newest: rows.newest[0]?.created ?? "",
  };
}

function isExempt({ author, authority }: Writer): boolean {
  return authority === "service" || author === ADMIN_USER;
}

/** Converts a row to a record with its document parsed. */
export function toStoredNow({ id, key, type, revision, created, change, document }: StoredRow): StoredNow {
  return { id, key, type, revision, created, change, document: parseDocument(document) };
}
