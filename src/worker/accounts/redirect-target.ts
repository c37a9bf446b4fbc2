/** Longest place to go to after a login, in characters. */
export const REDIRECT_LENGTH_MAX = 2000;

/** Pages that would lead back to where somebody just was. */
const LOOPS = ["/account/login", "/account/create", "/account/verify"];
const UNSAFE = /[\\\p{Cc}]/u;

/** True for a place on this site: browsers read `//`, and `/\` too, as the start of another host (patrons.md 1.3). */
export function isLocalPath(text: string): boolean {
  return /^\/(?!\/)/.test(text) && !UNSAFE.test(text) && text.length <= REDIRECT_LENGTH_MAX;
}

/** Where to go after a login: a place on this site that is no part of logging in; undefined for anything else. */
export function redirectTarget(text: string): string | undefined {
  return isLocalPath(text) && !LOOPS.some((loop) => text.includes(loop)) ? text : undefined;
}
