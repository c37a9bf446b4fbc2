/** Accounts in every role. Requests ruin them, so that there is a new one of each from time to time. */
import { accountLines, bootstrapLines } from "../../scripts/lib/bootstrap.ts";
import { asked, login } from "./make.mjs";

/** @import { Asked } from "./lines.mjs" */

/** Groups of the accounts of a set, by role. @type {Record<string, readonly string[]>} */
const GROUPS = {
  patron: [],
  librarian: ["librarians"],
  writer: ["api", "super-librarians"],
  admin: ["admin"],
};
export const ACCOUNT_ROLES = Object.keys(GROUPS);
/** Accounts that every development service has; the password is the name. */
const DEVELOPMENT = ["patron", "librarian", "admin", "openlibrary", "reader"];
/** Revisions of the groups are higher from set to set, whatever others have made of them. */
const REVISIONS = 1000;
/** What administrators may have set for everybody, as it was. @type {[target: string, fields: Record<string, string>][]} */
const USUAL = [
  ["/admin/read-only", { read_only: "false" }],
  ["/admin/spamwords", { spamwords: "", domains: "" }],
  ["/admin/block", { ips: "" }],
];

/** Name of whoever has a role. @param {string} role @param {number} set */
export function nameOf(role, set) {
  return role in GROUPS ? `a_${role}_${set}` : role;
}

/** Sessions of the accounts that are there from the beginning. @returns {Asked[]} */
export function developmentLogins() {
  return DEVELOPMENT.map(login);
}

/** New accounts of all roles, and settings as they were at the beginning. @param {number} set @returns {Asked[]} */
export function newAccounts(set) {
  const usernames = ACCOUNT_ROLES.map((role) => nameOf(role, set));
  const lines = [...groupLines(set), ...usernames.flatMap((name) => [...accountLines(name)])];
  const by = "operator";
  return [
    asked({ part: "accounts", by, target: "/system/development-accounts" }, { usernames }),
    asked({ part: "accounts", by, target: "/system/load" }, `${lines.join("\n")}\n`),
    ...usernames.map(login),
    ...usualSettings(nameOf("admin", set)),
  ];
}

/** @param {string} by an administrator @returns {Asked[]} */
export function usualSettings(by) {
  return USUAL.map(([target, fields]) =>
    asked({ part: "accounts", by, target }, new URLSearchParams(fields)),
  );
}

/** @param {number} set */
function* groupLines(set) {
  for (const line of bootstrapLines({ development: true })) {
    const [type, key = "", , time, text = "{}"] = line.split("\t");
    if (!/^\/(?:usergroup|permission)\//.test(key)) continue;
    const roles = ACCOUNT_ROLES.filter((role) => GROUPS[role]?.includes(key.replace("/usergroup/", "")));
    const document = JSON.parse(text);
    const more = roles.map((role) => ({ key: `/people/${nameOf(role, set)}` }));
    const members = [...(document.members ?? []), ...more];
    const revision = (set + 1) * REVISIONS;
    const changed = {
      ...document,
      revision,
      latest_revision: revision,
      ...(members.length > 0 ? { members } : {}),
    };
    yield [type, key, revision, time, JSON.stringify(changed)].join("\t");
  }
}
