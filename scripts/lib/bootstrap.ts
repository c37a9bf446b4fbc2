import types from "../../src/catalog/type-definitions.json" with { type: "json" };

/** Timestamp of all bootstrap records. */
const CREATED = "2026-11-01T00:00:00.000000";

const GROUPS = [
  "everyone",
  "allusers",
  "admin",
  "super-librarians",
  "librarians",
  "api",
  "curators",
  "read-only",
  "beta-testers",
];

/** Members of the groups on a development service only. */
const DEVELOPMENT_MEMBERS: Record<string, string[] | undefined> = {
  admin: ["openlibrary", "admin"],
  api: ["openlibrary"],
  "super-librarians": ["openlibrary"],
  librarians: ["librarian"],
};

const PERMISSIONS: Record<string, { readers: string; writers: string }> = {
  open: { readers: "everyone", writers: "everyone" },
  loggedinusers: { readers: "everyone", writers: "allusers" },
  restricted: { readers: "everyone", writers: "admin" },
  secret: { readers: "admin", writers: "admin" },
};

/** Accounts of a development service; the password equals the name. */
export const DEVELOPMENT_ACCOUNTS = ["openlibrary", "admin", "librarian", "patron", "reader", "AccountBot"];

/** Display names that differ from the username. */
export const DEVELOPMENT_NAMES: Record<string, string> = { openlibrary: "Open Library" };

/** Email addresses other than `<name>@example.com`. */
export const DEVELOPMENT_ADDRESSES = { AccountBot: "userbot@example.com" };

/** API keys of development accounts. */
export const DEVELOPMENT_KEYS = [{ username: "openlibrary", access: "foo", secret: "foo" }];

/**
 * Yields dump lines of the records that every catalog needs: types, groups and permissions; with `development` also
 * accounts and their memberships.
 */
export function* bootstrapLines({ development }: { development: boolean }) {
  for (const [key, type] of Object.entries(types)) {
    yield line("/type/type", key, { name: type.name, kind: type.kind, properties: properties(type) });
  }
  for (const group of GROUPS) {
    const members = development
      ? DEVELOPMENT_MEMBERS[group]?.map((name) => ({ key: `/people/${name}` }))
      : undefined;
    yield line("/type/usergroup", `/usergroup/${group}`, members === undefined ? {} : { members });
  }
  for (const [name, { readers, writers }] of Object.entries(PERMISSIONS)) {
    const members = { readers: groups(readers), writers: groups(writers), admins: groups("admin") };
    yield line("/type/permission", `/permission/${name}`, members);
  }
  if (development) for (const name of DEVELOPMENT_ACCOUNTS) yield* accountLines(name);
}

/** Yields dump lines of the records of an account. */
export function* accountLines(name: string) {
  const key = `/people/${name}`;
  const displayname = DEVELOPMENT_NAMES[name] ?? name;
  yield line("/type/user", key, { displayname, permission: { key: `${key}/permission` } });
  yield line("/type/usergroup", `${key}/usergroup`, { members: [{ key }] });
  const own = [{ key: `${key}/usergroup` }];
  yield line("/type/permission", `${key}/permission`, {
    readers: groups("everyone"),
    writers: own,
    admins: own,
  });
}

function properties(type: { properties: { name: string; expected_type: string; unique: boolean }[] }) {
  return type.properties.map(({ name, expected_type: expected, unique }) => ({
    name,
    expected_type: { key: expected },
    unique,
    type: { key: "/type/property" },
  }));
}

function groups(name: string) {
  return [{ key: `/usergroup/${name}` }];
}

function line(type: string, key: string, members: Record<string, unknown>) {
  const time = { type: "/type/datetime", value: CREATED };
  const record = {
    key,
    type: { key: type },
    ...members,
    latest_revision: 1,
    revision: 1,
    created: time,
    last_modified: time,
  };
  return [type, key, 1, CREATED, JSON.stringify(record)].join("\t");
}
