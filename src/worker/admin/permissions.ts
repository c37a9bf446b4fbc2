import { failure } from "../http/failure.ts";
import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { type CatalogRecord, keyOf } from "../../catalog/record.ts";
import { ADMIN_GROUP, groupKeyOf } from "../../catalog/roles.ts";
import { readRecords } from "../../db/records/records.ts";
import { editRecords } from "../editing/edit-records.ts";
import { resource } from "../http/views.ts";
import { adminPage } from "../ui/data-page.ts";
import { form as formMarkup } from "../ui/form.ts";
import { command } from "../ui/command.ts";
import { t } from "../ui/words.ts";
import { ADMIN_FORM, doneSchema } from "./admin-form.ts";

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

export const adminPermissions = resource({
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
  async read(_input, { stores }) {
    const folders = Object.values(POLICY_FOLDERS);
    const rows = await readRecords(stores.catalog, folders);
    const stored = new Map(rows.map(({ key, document }) => [key, parseDocument(document)]));
    const permissionOf = (key: string): string | null => keyOf(stored.get(key)?.["child_permission"]) ?? null;
    return { permissions: Object.fromEntries(folders.map((key) => [key, permissionOf(key)])) };
  },
  page({ permissions }) {
    const policies = POLICY_NAMES.map((policy) => [policy, t(POLICIES[policy].words)] as const);
    const fields = Object.entries(POLICY_FOLDERS).map(([name, folder]) => {
      const stored = permissions[folder];
      return {
        name,
        label: t("admin.below", { folder }),
        value: stored?.replace("/permission/", ""),
        options: [["", stored ?? t("admin.policy_none")] as const, ...policies],
      };
    });
    return adminPage({
      title: t("admin.permissions"),
      parts: [formMarkup({ action: "/admin/permissions", fields, submit: t("admin.save") })],
    });
  },
});

const policyName = z.enum([...POLICY_NAMES, ""]).optional();

/** `POST /admin/permissions`: sets the groups that may write below the named folders; others stay unchanged. */
export const adminPermissionsSave = command({
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
  /** Only administrators may change the permissions. Creates missing permissions and groups. */
  async submit({ form }, context) {
    // The form has only names of the table.
    const entries = Object.entries(form) as [PolicyName, Policy | "" | undefined][];
    const policies = new Map(
      entries.flatMap(([name, policy]) => (policy ? [[POLICY_FOLDERS[name], policy]] : [])),
    );
    if (policies.size === 0) throw failure("bad_data.choose");
    const needed = new Map<string, CatalogRecord>();
    for (const policy of new Set<Policy>([...policies.values(), "restricted"])) {
      const { writers } = POLICIES[policy];
      for (const key of [writers, EVERYONE, ADMIN_GROUP])
        needed.set(key, { key, type: { key: "/type/usergroup" } });
      const key = `/permission/${policy}`;
      needed.set(key, {
        key,
        type: { key: "/type/permission" },
        readers: [{ key: EVERYONE }],
        writers: [{ key: writers }],
        admins: [{ key: ADMIN_GROUP }],
      });
    }
    await editRecords(context, [...policies.keys(), ...needed.keys()], (stored) => ({
      documents: [
        ...[...needed].flatMap(([key, record]) => (stored.has(key) ? [] : [record])),
        ...Array.from(policies, ([key, policy]) => ({
          type: { key: "/type/page" },
          ...stored.get(key),
          key,
          permission: { key: "/permission/restricted" },
          child_permission: { key: `/permission/${policy}` },
        })),
      ],
      kind: "bulk-edit-permissions",
      comment: "Updated edit policy.",
      audited: { event: "setting-changed", subject: "permissions", details: Object.fromEntries(policies) },
    }));
  },
  done: { to: "/admin/permissions", notice: "admin.saved" },
});
