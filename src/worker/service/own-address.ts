import { isLocalPath } from "../http/redirect-target.ts";

/**
 * A place on this site as path, query and fragment, whether it was written so or as a whole address; undefined for places on
 * other sites. Addresses are read as browsers read them, which take `\` for `/` and leave out `.` and `..`.
 */
export function ownAddress(text: string, base: string): string | undefined {
  const url = URL.parse(text, base);
  if (url === null || url.origin !== new URL(base).origin) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  const place = url.pathname + url.search + url.hash;
  // `/.//host` is on this site, and `//host`, which is left of it, is another.
  return isLocalPath(place) ? place : undefined;
}
