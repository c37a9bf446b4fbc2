/** Works asked for at once. */
const PAGE = 200;

/**
 * A work of the index with its editions.
 * @typedef {object} Book
 * @property {number} id
 * @property {number} boost factor of its popularity
 * @property {Record<string, any>} work its document
 * @property {Record<string, any>[]} editions their documents
 * @property {string[]} titles other titles, which documents leave out
 */

/**
 * All works of the index, in pages.
 * @param {string} plain address of the worker of the plain statements
 * @returns {AsyncGenerator<Book[]>}
 */
export async function* booksOf(plain) {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const answer = await fetch(`${plain}/books?after=${after}&count=${PAGE}`);
    if (!answer.ok) throw new Error(`books: ${answer.status} ${await answer.text()}`);
    const books = /** @type {Book[]} */ (await answer.json());
    if (books.length === 0) return;
    yield books;
    after = books.at(-1)?.id ?? after;
  }
}

/** All titles of a work, each once. @param {Book} book @returns {string[]} */
export function titlesOf({ work, editions, titles }) {
  return [...new Set([...[work, ...editions].map(fullTitle), ...titles])];
}

/** @param {Record<string, any>} document */
function fullTitle({ title, subtitle }) {
  return subtitle ? `${title}: ${subtitle}` : String(title);
}
