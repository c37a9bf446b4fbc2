/**
 * Members that belong to a record itself, the store or administrators: forms never set them, and a merge neither takes
 * nor gives them (records.md 1.1).
 */
export const OWN_MEMBERS: ReadonlySet<string> = new Set([
  "key",
  "type",
  "id",
  "revision",
  "latest_revision",
  "created",
  "last_modified",
  "permission",
  "child_permission",
]);
