/** Usergroups that mean something, whether their records are there or not: somebody can join any of them. */
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

/** Groups that everybody is in, or everybody with an account, whatever their records say: nobody joins them. */
export const PSEUDO_GROUPS = ["everyone", "allusers"] as const;

/** Roles that a route may ask for, with the groups whose members have them. */
const ROLES = {
  librarian: ["librarians", "super-librarians", "admin"],
  "super-librarian": ["super-librarians", "admin"],
  maintainer: ["maintainers", "admin"],
  admin: ["admin"],
} as const satisfies Readonly<Record<string, readonly RoleGroup[]>>;
export type Role = keyof typeof ROLES;

/** Groups that may write by the record API; bots may as well. */
const WRITERS: readonly RoleGroup[] = ["api", "admin"];

const FOLDER = "/usergroup/";

/** Key of the record of a group. */
export function groupKey(name: string): string {
  return FOLDER + name;
}

/** Name of the group with a key; undefined for groups elsewhere, such as that of an account. */
export function groupName(key: string): string | undefined {
  return key.startsWith(FOLDER) ? key.slice(FOLDER.length) : undefined;
}

export const ADMIN_GROUP = groupKey("admin");
/** Members may not write, whatever else they are. */
export const READ_ONLY_GROUP = groupKey("read-only");

/** The user who is an administrator by name, whatever the group says (Q99). */
export const ADMIN_USER = "/people/admin";

/** Somebody whose rights are asked for: `groups` are keys. */
interface Member {
  readonly groups: ReadonlySet<string>;
  readonly bot: boolean;
}

/** True for what is a role of somebody, and no other condition of access. */
export function isRole(access: string): access is Role {
  return Object.hasOwn(ROLES, access);
}

/** True for members of a group that has the role, or a higher one. */
export function hasRole({ groups }: Pick<Member, "groups">, role: Role): boolean {
  return ROLES[role].some((group) => groups.has(groupKey(group)));
}

/** True for those who may use the record API for writing. */
export function isWriter({ groups, bot }: Member): boolean {
  return bot || WRITERS.some((group) => groups.has(groupKey(group)));
}
