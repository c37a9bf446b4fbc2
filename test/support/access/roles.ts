import type { Access } from "../../../src/worker/http/operation.ts";

/** Roles by which tests check access, independent of the code that decides it. */
export const ROLES = [
  "anonymous",
  "patron",
  "blocked",
  "api",
  "bot",
  "librarian",
  "super-librarian",
  "maintainer",
  "admin",
  "operator",
  "cover-writer",
] as const;
export type RoleName = (typeof ROLES)[number];

const EVERYBODY: readonly RoleName[] = ROLES;
const PATRONS: readonly RoleName[] = [
  "patron",
  "api",
  "bot",
  "librarian",
  "super-librarian",
  "maintainer",
  "admin",
];

/**
 * The roles that pass, by access level. On a deployed service no role passes `development`, and `admin` alone
 * `inspector`.
 */
export const ALLOWED: Readonly<Record<Access, readonly RoleName[]>> = {
  public: EVERYBODY,
  development: EVERYBODY,
  inspector: EVERYBODY,
  operator: ["operator"],
  "cover-writer": ["cover-writer"],
  session: PATRONS,
  "session-page": PATRONS,
  writer: ["api", "bot", "admin"],
  importer: ["api", "bot", "admin"],
  librarian: ["librarian", "super-librarian", "admin"],
  "super-librarian": ["super-librarian", "admin"],
  maintainer: ["maintainer", "admin"],
  admin: ["admin"],
};

/**
 * The roles in which the worker's test calls each route of an access level: anonymous, the lowest role that passes and the
 * highest that does not. A unit test holds what a level says of all roles.
 */
export const CALLED: Readonly<Record<Access, readonly RoleName[]>> = {
  public: ["anonymous"],
  development: ["anonymous", "admin"],
  inspector: ["anonymous", "admin"],
  operator: ["anonymous", "admin", "operator", "cover-writer"],
  "cover-writer": ["anonymous", "admin", "operator", "cover-writer"],
  session: ["anonymous", "patron", "blocked"],
  "session-page": ["anonymous", "patron", "blocked"],
  writer: ["anonymous", "api", "bot", "super-librarian"],
  importer: ["anonymous", "api", "bot", "super-librarian", "maintainer"],
  librarian: ["anonymous", "patron", "librarian", "maintainer", "operator"],
  "super-librarian": ["anonymous", "librarian", "super-librarian", "maintainer"],
  maintainer: ["anonymous", "super-librarian", "maintainer"],
  admin: ["anonymous", "super-librarian", "admin"],
};
