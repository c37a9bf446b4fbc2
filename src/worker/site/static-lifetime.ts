/** How long clients may keep a file of `/static/`, in seconds (lookup.md 17.1). */
export const STATIC_SECONDS = 3600;
/** The same of those whose name changes with what is in them, below `/static/build/`. */
export const BUILD_SECONDS = 31_536_000;

/** `Cache-Control` of a static file; `public/_headers` says the same where the worker is not asked. */
export function staticLifetime(pathname: string): string | undefined {
  if (pathname.startsWith("/static/build/")) return `public, max-age=${BUILD_SECONDS}, immutable`;
  if (pathname.startsWith("/static/")) return `public, max-age=${STATIC_SECONDS}`;
  return undefined;
}
