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
  return !PUBLIC_ACCESS.has(access) || ["operation", "administration", "system"].includes(tag);
}

/** Returns true for pages, their forms, and other spellings of a path. */
export function isPage({ operation: documented }: Pick<LoadedRoute, "operation">): boolean {
  const { id, tag, responses } = documented;
  if (tag === "forms" || id.endsWith("AtPage")) return true;
  const good = Object.entries(responses).flatMap(([status, spec]) => (Number(status) < 300 ? [spec] : []));
  return (
    good.length > 0 &&
    good.every(({ schema, contentType }) => schema === undefined && contentType === "text/html")
  );
}
