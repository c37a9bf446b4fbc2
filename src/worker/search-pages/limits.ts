/** Works on a page of results (search.md 7.6). */
export const SEARCH_PAGE_WORKS = 20;
/** Authors and subjects on a page of results (search.md 7.6). */
export const SEARCH_PAGE_NAMES = 100;
/** Works on the page of a subject or publisher. */
export const TARGET_PAGE_WORKS = 24;
/** Books on a page of the search inside books. */
export const INSIDE_PAGE_BOOKS = 20;
