/** Usergroups with a meaning. Users can be added to any of them, even if its record does not exist yet. */
export const ROLE_GROUPS = [
  "admin",
  "super-librarians",
  "librarians",
  "api",
  "curators",
  "read-only",
  "beta-testers",
  "maintainers",
] as const;
type RoleGroup = (typeof ROLE_GROUPS)[number];

/** Groups of every user, or every user with an account. Users cannot be added to them. */
export const PSEUDO_GROUPS = ["everyone", "allusers"] as const;

const ROLES = {
  librarian: ["librarians", "super-librarians", "admin"],
  "super-librarian": ["super-librarians", "admin"],
  maintainer: ["maintainers", "admin"],
  admin: ["admin"],
} as const satisfies Readonly<Record<string, readonly RoleGroup[]>>;
export type Role = keyof typeof ROLES;

const WRITERS: readonly RoleGroup[] = ["api", "admin"];

const FOLDER = "/usergroup/";

export function groupKeyOf(name: string): string {
  return FOLDER + name;
}

/** Returns the name of the group with a key. Returns undefined for other groups, such as that of an account. */
export function groupNameOf(key: string): string | undefined {
  return key.startsWith(FOLDER) ? key.slice(FOLDER.length) : undefined;
}

export const ADMIN_GROUP = groupKeyOf("admin");
/** Group whose members may not write, regardless of other groups. */
export const READ_ONLY_GROUP = groupKeyOf("read-only");

/** User who is an administrator by name, regardless of the group's members (Q99). */
export const ADMIN_USER = "/people/admin";

/** User whose rights are checked. `groups` are keys. */
interface Member {
  readonly groups: ReadonlySet<string>;
  readonly bot: boolean;
}

export function isRole(access: string): access is Role {
  return Object.hasOwn(ROLES, access);
}

/** Returns true for members of a group with the role, or a higher one. */
export function hasRole({ groups }: Pick<Member, "groups">, role: Role): boolean {
  return ROLES[role].some((group) => groups.has(groupKeyOf(group)));
}

export function isWriter({ groups, bot }: Member): boolean {
  return bot || WRITERS.some((group) => groups.has(groupKeyOf(group)));
}
