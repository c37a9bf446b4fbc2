// What an index has, so that it can be asked for: words by how frequent they are, titles, subjects. Of the embedded index the worker
// of the plain statements says it, of one in Solr its collection.

/**
 * @typedef {object} IndexFacts
 * @property {() => Promise<{ works: number, bytes: number }>} counts
 * @property {(low: number, high: number, count: number) => Promise<string[]>} terms words that so many works have
 * @property {(count: number) => Promise<{ title: string, author: string | null }[]>} titles of works at random
 * @property {(count: number) => Promise<{ key: string }[]>} subjects those with most works
 */

/** @param {string} plain @returns {IndexFacts} */
export function factsOfPlain(plain) {
  /** @type {(path: string) => Promise<any>} */
  const ask = async (path) => (await fetch(plain + path)).json();
  return {
    counts: () => ask("/counts"),
    terms: async (low, high, count) => {
      /** @type {{ term: string }[]} */
      const found = await ask(`/terms?low=${low}&high=${high}&count=${count}`);
      return found.map(({ term }) => term);
    },
    titles: (count) => ask(`/titles?count=${count}`),
    subjects: (count) => ask(`/subjects?count=${count}`),
  };
}

/** Words that are looked at for some of them. */
const TERMS_MAX = 20_000;

/**
 * @param {string} url of Solr
 * @param {() => Promise<string>} live name of the collection that answers
 * @returns {IndexFacts}
 */
export function factsOfSolr(url, live) {
  /** @type {(handler: string, parameters: Record<string, string>) => Promise<any>} */
  const ask = async (handler, parameters) => {
    const body = new URLSearchParams({ wt: "json", ...parameters });
    const response = await fetch(`${url}/${await live()}/${handler}`, { method: "POST", body });
    if (!response.ok) throw new Error(`${handler}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  /** @type {(kind: string, parameters: Record<string, string>) => Promise<any>} */
  const find = async (kind, parameters) =>
    (await ask("query", { q: "*:*", fq: `kind:${kind}`, ...parameters })).response;
  return {
    counts: async () => {
      const { status } = Object(await (await fetch(`${url}/admin/cores?action=STATUS&wt=json`)).json());
      const name = await live();
      /** @type {{ name: string, index: { sizeInBytes: number } }[]} */
      const cores = Object.values(status);
      const own = cores.filter((core) => core.name.startsWith(`${name}_`));
      const bytes = own.reduce((sum, { index }) => sum + index.sizeInBytes, 0);
      return { works: (await find("work", { rows: "0" })).numFound, bytes };
    },
    terms: async (low, high, count) => {
      const { terms } = await ask("terms", {
        "terms.fl": "work_word",
        "terms.regex": "[a-z]{4,}",
        "terms.mincount": String(low),
        "terms.maxcount": String(high),
        "terms.sort": "index",
        "terms.limit": String(TERMS_MAX),
      });
      /** @type {string[]} */
      const found = terms.work_word.filter((/** @type {unknown} */ one) => typeof one === "string");
      const step = Math.max(1, found.length / count);
      return found.filter((_term, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
    },
    titles: async (count) => {
      const { docs } = await find("work", { rows: String(count), fl: "document", sort: "n_random_1 asc" });
      return docs.map((/** @type {{ document: string }} */ { document }) => {
        const { title, author_name: authors } = JSON.parse(document);
        return { title, author: authors?.[0] ?? null };
      });
    },
    subjects: async (count) => {
      const q = `subject_token:"ty=subject"`;
      return (await find("subject", { q, rows: String(count), fl: "key:id", sort: "n_work_count desc" }))
        .docs;
    },
  };
}
