import type { CatalogRecord } from "./record.ts";

/**
 * The records of a new account, without envelope: the user, his own group, and the permission by which he and
 * administrators alone write below his key (records.md 10.2). They are saved as one change of kind `new-account`.
 */
export function accountRecords(username: string, displayname: string): CatalogRecord[] {
  const user = `/people/${username}`;
  const group = `${user}/usergroup`;
  const permission = `${user}/permission`;
  return [
    { key: user, type: { key: "/type/user" }, displayname, permission: { key: permission } },
    { key: group, type: { key: "/type/usergroup" }, members: [{ key: user }] },
    {
      key: permission,
      type: { key: "/type/permission" },
      readers: [{ key: "/usergroup/everyone" }],
      writers: [{ key: group }],
      admins: [{ key: group }],
    },
  ];
}
