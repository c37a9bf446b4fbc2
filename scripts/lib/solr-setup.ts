import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { CommandError } from "./command.ts";
import { ROOT } from "./paths.ts";

/** The config set, as files of the repository. */
const CONFIG = path.join(ROOT, "solr/conf");
const GENERATIONS = ["a", "b"];

interface SolrSetup {
  /** Base URL, for example `http://127.0.0.1:8983/solr`. */
  url: string;
  /** Prefix of the names of both collections. */
  collection: string;
  /** `user:password`. */
  credentials?: string;
  shards?: number;
  replicas?: number;
  say?: (line: string) => void;
}

/**
 * Creates or updates the collections of an index. Idempotent. Throws a `CommandError` if Solr is unreachable or rejects
 * a request.
 */
export async function setUpSolr({
  url,
  collection,
  credentials = "",
  shards = 1,
  replicas = 1,
  say = console.log,
}: SolrSetup) {
  const ask = (address: string, init?: RequestInit) =>
    request(`${url}/admin/${address}`, { credentials, init });
  for (const file of await readdir(CONFIG)) {
    const query = new URLSearchParams({
      action: "UPLOAD",
      name: collection,
      filePath: file,
      overwrite: "true",
      cleanup: "false",
    });
    const body = await readFile(path.join(CONFIG, file));
    await ask(`configs?${query}`, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/octet-stream" },
    });
  }
  say(`config set ${collection}: as solr/conf has it`);
  const { collections } = await ask("collections?action=LIST");
  for (const name of GENERATIONS.map((generation) => `${collection}_${generation}`)) {
    const isThere = collections.includes(name);
    const query: Record<string, string> = isThere
      ? { action: "RELOAD", name }
      : {
          action: "CREATE",
          name,
          "collection.configName": collection,
          numShards: String(shards),
          replicationFactor: String(replicas),
        };
    await ask(`collections?${new URLSearchParams(query)}`);
    say(`collection ${name}: ${isThere ? "loaded anew" : "made"}`);
  }
}

async function request(
  address: string,
  { credentials, init }: { credentials: string; init: RequestInit | undefined },
) {
  const headers = new Headers(init?.headers);
  if (credentials !== "") headers.set("Authorization", `Basic ${btoa(credentials)}`);
  const response = await fetch(address, { ...init, headers }).catch((error) => {
    throw new CommandError(
      `Solr does not answer at ${address.split("?")[0]}: ${error.cause?.message ?? error.message}`,
    );
  });
  const text = await response.text();
  if (!response.ok) throw new CommandError(`Solr answers ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
