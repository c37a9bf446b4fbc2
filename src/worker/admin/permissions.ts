import { failure } from "../http/failure.ts";
import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { type CatalogRecord, keyOf } from "../../catalog/record.ts";
import { ADMIN_GROUP, groupKeyOf } from "../../catalog/roles.ts";
import { readRecords } from "../../db/records/records.ts";
import { answerDone } from "../ui/action-answer.ts";
import { pageOrJson } from "../http/accept.ts";
import { editRecords } from "../editing/edit-records.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { t } from "../ui/words.ts";
import { ADMIN_FORM, adminPage, doneSchema } from "./admin-page.ts";

const EVERYONE = groupKeyOf("everyone");
const POLICIES = {
  open: { writers: EVERYONE, words: "admin.policy_open" },
  loggedinusers: { writers: groupKeyOf("allusers"), words: "admin.policy_session" },
  restricted: { writers: ADMIN_GROUP, words: "admin.policy_restricted" },
} as const;
type Policy = keyof typeof POLICIES;
// The table has no other keys.
const POLICY_NAMES = Object.keys(POLICIES) as Policy[];

const POLICY_FOLDERS = {
  "perm.root": "/",
  "perm.works": "/works",
  "perm.books": "/books",
  "perm.authors": "/authors",
} as const;
type PolicyName = keyof typeof POLICY_FOLDERS;

export const adminPermissions = operation({
  id: "adminPermissions",
  summary: "Get the edit permissions",
  tag: "administration",
  responses: {
    200: {
      description: "Edit permissions, as JSON or HTML",
      schema: z.object({
        permissions: z
          .record(z.string(), z.string().nullable())
          .describe("Permissions by the key of the folder"),
      }),
    },
  },
  handle: async (_input, context) =>
    pageOrJson(context, { permissions: await readEditPolicy(context) }, policyPage),
});

const policyName = z.enum([...POLICY_NAMES, ""]).optional();

/** `POST /admin/permissions`: sets the groups that may write below the named folders; others stay unchanged. */
export const adminPermissionsSave = operation({
  ...ADMIN_FORM,
  id: "adminPermissionsSave",
  summary: "Set the edit permissions",
  form: {
    "perm.root": policyName,
    "perm.works": policyName,
    "perm.books": policyName,
    "perm.authors": policyName,
  } satisfies Record<PolicyName, z.ZodType>,
  responses: {
    200: { description: "Saved", schema: doneSchema },
    303: { description: "Redirect to the page, for browsers" },
    400: { description: "No permission given" },
  },
  handle({ form }, context) {
    return answerDone(context, { to: "/admin/permissions", words: "admin.saved" }, async () => {
      const changes = Object.fromEntries(
        Object.entries(form).filter(([, value]) => value !== undefined && value !== ""),
      );
      if (Object.keys(changes).length === 0) throw failure("bad_data.choose");
      await saveEditPolicy(context, changes);
    });
  },
});

/** Key of the permission below each folder; null if none is set. */
type EditPolicy = Readonly<Record<string, string | null>>;

const RESTRICTED = "/permission/restricted";

async function readEditPolicy({ stores }: RequestContext): Promise<EditPolicy> {
  const folders = Object.values(POLICY_FOLDERS);
  const rows = await readRecords(stores.catalog, folders);
  const stored = new Map(rows.map(({ key, document }) => [key, parseDocument(document)]));
  const permissionOf = (key: string) => keyOf(stored.get(key)?.["child_permission"]) ?? null;
  return Object.fromEntries(folders.map((key) => [key, permissionOf(key)]));
}

/** Saves the permissions as one change; only administrators may change them. Creates missing permissions and groups. */
async function saveEditPolicy(
  context: RequestContext,
  changes: Readonly<Partial<Record<PolicyName, Policy>>>,
): Promise<void> {
  // The object has only names of the table.
  const entries = Object.entries(changes) as [PolicyName, Policy][];
  const policies = new Map(entries.map(([name, policy]) => [POLICY_FOLDERS[name], policy]));
  const records = [...new Set<Policy>([...policies.values(), "restricted"])].flatMap(permissionRecords);
  const needed = new Map(records.map((record) => [String(record["key"]), record]));
  await editRecords(context, [...policies.keys(), ...needed.keys()], (stored) => ({
    documents: [
      ...[...needed].flatMap(([key, record]) => (stored.has(key) ? [] : [record])),
      ...[...policies].map(([key, policy]) => folderPage(key, policy, stored.get(key))),
    ],
    kind: "bulk-edit-permissions",
    comment: "Updated edit policy.",
    audited: { event: "setting-changed", subject: "permissions", details: Object.fromEntries(policies) },
  }));
}

function folderPage(key: string, policy: Policy, stored: CatalogRecord | undefined): CatalogRecord {
  const permissions = { permission: { key: RESTRICTED }, child_permission: { key: `/permission/${policy}` } };
  return { type: { key: "/type/page" }, ...stored, key, ...permissions };
}

function permissionRecords(policy: Policy): CatalogRecord[] {
  const { writers } = POLICIES[policy];
  return [
    { key: writers, type: { key: "/type/usergroup" } },
    { key: EVERYONE, type: { key: "/type/usergroup" } },
    { key: ADMIN_GROUP, type: { key: "/type/usergroup" } },
    {
      key: `/permission/${policy}`,
      type: { key: "/type/permission" },
      readers: [{ key: EVERYONE }],
      writers: [{ key: writers }],
      admins: [{ key: ADMIN_GROUP }],
    },
  ];
}

function policyPage({ permissions }: { permissions: EditPolicy }): Reply {
  const body = markup`<form method="post" action="/admin/permissions">
${Object.entries(POLICY_FOLDERS).map(([name, key]) => policyField(name, key, permissions[key] ?? null))}
<p><button type="submit">${t("admin.save")}</button></p></form>`;
  return adminPage({ title: t("admin.permissions"), body });
}

function policyField(name: string, key: string, permission: string | null): Markup {
  const options = POLICY_NAMES.map((policy) => {
    const chosen = permission === `/permission/${policy}` && markup` selected`;
    return markup`<option value="${policy}"${chosen}>${t(POLICIES[policy].words)}</option>`;
  });
  return markup`<div><label for="${name}">${t("admin.below", { folder: key })}</label>
<select id="${name}" name="${name}"><option value="">${permission ?? t("admin.policy_none")}</option>${options}</select></div>`;
}
