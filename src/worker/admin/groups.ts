import { failure } from "../http/failure.ts";
import * as z from "zod";
import type { CatalogRecord } from "../../catalog/record.ts";
import { PSEUDO_GROUPS, ROLE_GROUPS, groupKeyOf, groupNameOf } from "../../catalog/roles.ts";
import { readRecord } from "../../db/records/records.ts";
import { groupMembers, unlessLastAdmin } from "../accounts/last-admin.ts";
import { editRecords } from "../editing/edit-records.ts";
import type { ChangeRequest } from "../editing/edit-desk.ts";
import type { RequestContext } from "../http/operation.ts";
import { command } from "../ui/command.ts";
import { ADMIN_FORM, doneSchema } from "./admin-form.ts";
import { requireAccount } from "./person.ts";

const NAME = /^[a-z][a-z0-9-]{0,49}$/;

export const adminPersonGroups = command({
  ...ADMIN_FORM,
  id: "adminPersonGroups",
  summary: "Add an account to a group, or remove it",
  path: { username: z.string() },
  form: {
    action: z.enum(["add", "remove"]),
    group: z
      .string()
      .describe("Name or key of the group, for example `librarians` or `/usergroup/librarians`"),
  },
  responses: {
    200: { description: "Group saved, or unchanged", schema: doneSchema },
    303: { description: "Redirect to the account, for browsers" },
    400: { description: "No such group, or the last administrator" },
  },
  load: ({ path }, context) => requireAccount(context, path.username),
  async submit({ form: { action, group: text }, loaded: { username } }, context) {
    const group = groupNameOf(text.trim()) ?? text.trim();
    const person = `/people/${username}`;
    if (!NAME.test(group) || PSEUDO_GROUPS.some((name) => name === group))
      throw failure("bad_data.no_group", { group });
    const isKnown =
      ROLE_GROUPS.some((name) => name === group) ||
      (await readRecord(context.stores.catalog, groupKeyOf(group))) !== undefined;
    if (!isKnown) throw failure("bad_data.no_group", { group });
    const change = () => saveMembership(context, { action, group, person }, "user");
    const endsRights =
      (group === "admin" && action === "remove") || (group === "read-only" && action === "add");
    if (!endsRights) return change();
    const reverse = action === "add" ? "remove" : "add";
    const undo = () => saveMembership(context, { action: reverse, group, person }, "service");
    await unlessLastAdmin(context, person, { change, undo });
  },
  done: { to: ({ loaded }) => `/admin/people/${loaded.username}`, notice: "desk.done" },
});

/** Makes a user an administrator on the service's own authority; does nothing if the user is one already. */
export async function addAdministrator(context: RequestContext, person: string): Promise<void> {
  await saveMembership(context, { action: "add", group: "admin", person }, "service");
}

/** Adds or removes one member; concurrent changes stay. `person` is the key of a user. */
async function saveMembership(
  context: RequestContext,
  { action, group, person }: { action: "add" | "remove"; group: string; person: string },
  authority: "user" | "service",
): Promise<void> {
  const key = groupKeyOf(group);
  const { key: author } = await context.actor();
  await editRecords(context, [key], (records): ChangeRequest | undefined => {
    const stored: CatalogRecord = records.get(key) ?? {};
    const before = groupMembers(stored);
    if (before.includes(person) === (action === "add")) return undefined;
    const after = action === "add" ? [...before, person] : before.filter((member) => member !== person);
    const members = after.map((member) => ({ key: member }));
    return {
      documents: [{ ...stored, key, type: { key: "/type/usergroup" }, members }],
      kind: action === "add" ? "edit-usergroup-add-member" : "edit-usergroup-delete-member",
      comment: `${action === "add" ? "Adding" : "Removing"} ${person} ${action === "add" ? "to" : "from"} ${key}`,
      authority,
      ...(author === null ? {} : { author }),
      audited: {
        event: action === "add" ? "role-given" : "role-taken",
        actor: author ?? "operator",
        subject: person,
        details: { group },
      },
    };
  });
}
