/** What is known of single operations and stands in no description. */

/** Reads that do something: they are sent among the writes, and never twice. */
const CHANGING = new Set([
  "borrowByLink",
  "verifyCode",
  "verifyEmail",
  "approveBatchLink",
  // With `_delete`, which a HEAD never does.
  "editBookForm",
  "editBookFormAtPage",
]);
/** Answers that are other ones each time, and are meant to be: measurements, and what is drawn by lot. */
const UNSTEADY = new Set([
  "status",
  "deepStatus",
  "adminStatus",
  "debugMemory",
  "memory",
  "outbox",
  "changesStream",
  "random",
  // How many milliseconds the search took is a part of its answer.
  "searchInside",
  "searchInsidePage",
]);
/** A script that is called JSON, as clients have always seen it (Q4). */
const SCRIPT_AS_JSON = new Set(["booksJson", "booksScript"]);
const OTHERS_OFFER = /^search\.worldcat\.org$/;
const ARCHIVE = /^archive\.org$/;
const COVER_STORE = /^localhost:\d+$/;
/** `default` may name an image anywhere. */
const ANYWHERE = /./;
/** Redirects to other sites, by operation: hosts that they lead to. @type {Record<string, RegExp>} */
const ELSEWHERE = {
  borrowByLink: OTHERS_OFFER,
  borrowByForm: OTHERS_OFFER,
  borrowScanByForm: OTHERS_OFFER,
  coverImageB: ANYWHERE,
  coverImageA: ANYWHERE,
  coverImageW: ANYWHERE,
  editionCover: COVER_STORE,
  workCover: COVER_STORE,
  suggestThumbnail: COVER_STORE,
  daisy: ARCHIVE,
  daisyAtPage: ARCHIVE,
  showRecords: ARCHIVE,
  authorPhoto: COVER_STORE,
};

/** False for reads that do something. @param {string} id */
export function isUnchanging(id) {
  return !CHANGING.has(id);
}

/** True for operations whose answer, asked for twice, is the same to the last byte. @param {string} id */
export function isSteady(id) {
  return !CHANGING.has(id) && !UNSTEADY.has(id);
}

/** True where a body that is called JSON may be a script. @param {string} id @param {string} text */
export function isScript(id, text) {
  return SCRIPT_AS_JSON.has(id) && text.startsWith("var _OLBookInfo = ");
}

/** @param {string} id @param {URL} target */
export function mayLeadTo(id, target) {
  return ELSEWHERE[id]?.test(target.host) ?? false;
}
