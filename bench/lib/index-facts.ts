// Words, titles and subjects of an index, to make queries from. The worker of the plain statements reads them from D1.
import { type Json, fetchJson } from "./client.ts";

export interface IndexFacts {
  counts: () => Promise<{ works: number; bytes: number }>;
  /** Returns words that occur in this many works. */
  terms: (low: number, high: number, count: number) => Promise<string[]>;
  /** Returns random works. */
  titles: (count: number) => Promise<{ title: string; author: string | null }[]>;
  /** Returns the subjects with most works. */
  subjects: (count: number) => Promise<{ key: string }[]>;
}

export function readPlainFacts(plain: string): IndexFacts {
  const ask = (path: string) => fetchJson(plain + path);
  return {
    counts: () => ask("/counts"),
    terms: async (low, high, count) => {
      const found: { term: string }[] = await ask(`/terms?low=${low}&high=${high}&count=${count}`);
      return found.map(({ term }) => term);
    },
    titles: (count) => ask(`/titles?count=${count}`),
    subjects: (count) => ask(`/subjects?count=${count}`),
  };
}

/** Words that a sample is taken from. */
const TERMS_MAX = 20_000;

/** Reads the facts of an index in Solr. `live` returns the name of the active collection. */
export function readSolrFacts(url: string, live: () => Promise<string>): IndexFacts {
  const ask = async (handler: string, parameters: Record<string, string>): Promise<Json> => {
    const body = new URLSearchParams({ wt: "json", ...parameters });
    return fetchJson(`${url}/${await live()}/${handler}`, { method: "POST", body });
  };
  const find = async (kind: string, parameters: Record<string, string>): Promise<Json> =>
    (await ask("query", { q: "*:*", fq: `kind:${kind}`, ...parameters })).response;
  return {
    counts: async () => {
      const { status } = await fetchJson(`${url}/admin/cores?action=STATUS&wt=json`);
      const name = await live();
      const cores: { name: string; index: { sizeInBytes: number } }[] = Object.values(status);
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
      const found: string[] = terms.work_word.filter((one: unknown) => typeof one === "string");
      const step = Math.max(1, found.length / count);
      return found.filter((_term, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
    },
    titles: async (count) => {
      const { docs } = await find("work", { rows: String(count), fl: "document", sort: "n_random_1 asc" });
      return docs.map(({ document }: { document: string }) => {
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
