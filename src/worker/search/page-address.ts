/** Works on a page of results. */
export const SEARCH_PAGE_WORKS = 20;
/** Authors and subjects on a page of results. */
export const SEARCH_PAGE_NAMES = 100;
/** Works on the page of a subject or publisher. */
export const TARGET_PAGE_WORKS = 24;
/** Books on a page of the search inside books. */
export const INSIDE_PAGE_BOOKS = 20;

/** Parameters of a page's address, in their order. */
export type Parameters = readonly (readonly [name: string, value: string])[];

/** The address of a page with these parameters; empty values are left out. */
export function pageAddress(path: string, parameters: Parameters): string {
  const query = new URLSearchParams(
    parameters.filter(([, value]) => value !== "").map(([name, value]) => [name, value]),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The same for one page of several. */
export function numberedAddress(path: string, parameters: Parameters, page: number): string {
  return pageAddress(path, [...parameters, ["page", page === 1 ? "" : String(page)]]);
}
