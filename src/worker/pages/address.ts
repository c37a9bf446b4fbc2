/** The address of a key or path on this site, whatever stands in it: never one of another site. */
export function addressOf(key: string): string {
  const path = key.toWellFormed().split("/").map(encodeURIComponent).join("/");
  // `//host` would be another site.
  return path.replace(/^\/*/, (slashes) => `/${"%2F".repeat(Math.max(0, slashes.length - 1))}`);
}
