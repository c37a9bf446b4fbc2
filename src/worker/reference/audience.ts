import type { LoadedRoute } from "../http/operation.ts";

const PUBLIC_ACCESS = new Set([
  "public",
  "session",
  "session-page",
  "writer",
  "importer",
  "librarian",
  "super-librarian",
]);

/** Returns true for routes of operators and administrators. */
export function isInternal({
  access,
  operation: { tag },
}: Pick<LoadedRoute, "access" | "operation">): boolean {
  return !PUBLIC_ACCESS.has(access) || ["operation", "administration", "service", "system"].includes(tag);
}

/** Returns true for pages, their forms, and other spellings of a path. */
export function isPage({ operation: documented }: Pick<LoadedRoute, "operation">): boolean {
  const { id, tag, form, responses, programs } = documented;
  if (tag === "forms" || id.endsWith("AtPage") || programs !== undefined) return true;
  if (form !== undefined && Object.keys(responses).every((status) => Number(status) >= 300)) return true;
  const good = Object.entries(responses).flatMap(([status, spec]) => (Number(status) < 300 ? [spec] : []));
  return (
    good.length > 0 &&
    good.every(({ schema, contentType }) => schema === undefined && contentType === "text/html")
  );
}

/** Topics of readers' own settings, of importers and of libraries, which few programs need. */
const SPECIAL_TAGS = new Set(["account", "import", "libraries"]);
const SIGN_IN = new Set(["loginJson", "logout"]);

/** Returns true for what programs of readers use: the public part of the interface description. */
export function isForPrograms(route: Pick<LoadedRoute, "access" | "operation">): boolean {
  const { id, tag } = route.operation;
  return !isInternal(route) && !isPage(route) && (!SPECIAL_TAGS.has(tag) || SIGN_IN.has(id));
}
