import type { Access } from "../../../src/worker/http/operation.ts";

/** Who may call routes of an access level, written down apart from the code that decides it. */
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
 * The roles that pass, by access level. On a deployed service nobody passes `development`, and `admin` alone
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
