/**
 * Returns true if the client has the answer already (RFC 9110, 13.1: If-None-Match wins). `modified` is in milliseconds
 * since the epoch, NaN if unknown.
 */
export function isUnmodified(
  request: Request,
  { etag, modified }: { readonly etag: string | undefined; readonly modified: number },
): boolean {
  const known = request.headers.get("If-None-Match");
  if (known !== null) return etag !== undefined && matches(known, etag);
  const since = request.headers.get("If-Modified-Since");
  if (since === null || Number.isNaN(modified)) return false;
  // HTTP dates have whole seconds.
  return Math.floor(modified / 1000) * 1000 <= Date.parse(since);
}

function matches(header: string, etag: string): boolean {
  return header.split(",").some((tag) => {
    const text = tag.trim().replace(/^W\//, "");
    return text === "*" || text === `"${etag}"`;
  });
}
