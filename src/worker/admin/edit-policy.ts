import { type CatalogRecord, keyOf } from "../../catalog/record.ts";
import { readRecords } from "../../db/records/read.ts";
import { editRecords } from "../history/edit.ts";
import type { RequestContext } from "../http/operation.ts";

/** Who may write what lies below a folder, by the name of the permission. */
export const POLICIES = ["open", "loggedinusers", "restricted"] as const;
type Policy = (typeof POLICIES)[number];

/** Folders by the names that forms give them. */
export const POLICY_FOLDERS = {
  "perm.root": "/",
  "perm.works": "/works",
  "perm.books": "/books",
  "perm.authors": "/authors",
} as const;
type PolicyName = keyof typeof POLICY_FOLDERS;

/** Key of the permission below each folder; null where nothing is set. */
export type EditPolicy = Readonly<Record<string, string | null>>;

const RESTRICTED = "/permission/restricted";
const WRITERS: Readonly<Record<Policy, string>> = {
  open: "/usergroup/everyone",
  loggedinusers: "/usergroup/allusers",
  restricted: "/usergroup/admin",
};

/** What is set for each folder. */
export async function readEditPolicy({ stores }: RequestContext): Promise<EditPolicy> {
  const folders = Object.values(POLICY_FOLDERS);
  const rows = await readRecords(stores.catalog, folders);
  // What is stored went through validation when it was written.
  const stored = new Map(rows.map(({ key, document }) => [key, JSON.parse(document) as CatalogRecord]));
  return Object.fromEntries(
    folders.map((key) => [key, keyOf(stored.get(key)?.["child_permission"]) ?? null]),
  );
}

/**
 * Sets who may write below some folders, as one change, and lets only administrators change that. Permissions and
 * groups that this names and that do not exist are made.
 */
export async function saveEditPolicy(
  context: RequestContext,
  wanted: Readonly<Partial<Record<PolicyName, Policy>>>,
): Promise<void> {
  const policies = new Map(
    // The names of an object made of the table's own names.
    (Object.entries(wanted) as [PolicyName, Policy | undefined][]).flatMap(([name, policy]) =>
      policy === undefined ? [] : [[POLICY_FOLDERS[name], policy] as const],
    ),
  );
  const named = new Set<Policy>([...policies.values(), "restricted"]);
  const needed = new Map(
    [...named].flatMap(permissionRecords).map((record) => [String(record["key"]), record]),
  );
  await editRecords(context, [...policies.keys(), ...needed.keys()], (records) => ({
    documents: [
      ...[...needed].flatMap(([key, record]) => (records.has(key) ? [] : [record])),
      ...[...policies].map(([key, policy]) => folder(key, policy, records.get(key))),
    ],
    kind: "bulk-edit-permissions",
    comment: "Updated edit policy.",
  }));
}

function folder(key: string, policy: Policy, stored: CatalogRecord | undefined): CatalogRecord {
  const permissions = { permission: { key: RESTRICTED }, child_permission: { key: `/permission/${policy}` } };
  return { type: { key: "/type/page" }, ...stored, key, ...permissions };
}

function permissionRecords(policy: Policy): CatalogRecord[] {
  const group = WRITERS[policy];
  return [
    { key: group, type: { key: "/type/usergroup" } },
    { key: "/usergroup/everyone", type: { key: "/type/usergroup" } },
    { key: "/usergroup/admin", type: { key: "/type/usergroup" } },
    {
      key: `/permission/${policy}`,
      type: { key: "/type/permission" },
      readers: [{ key: "/usergroup/everyone" }],
      writers: [{ key: group }],
      admins: [{ key: "/usergroup/admin" }],
    },
  ];
}
