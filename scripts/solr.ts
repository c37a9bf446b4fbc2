// Makes the collections of the search index in a SolrCloud, or brings them up to date.
import { readOptions, runCommand } from "./lib/command.ts";
import { setUpSolr } from "./lib/solr-setup.ts";

const HELP = `usage: npm run solr -- setup [options]

Uploads the config set of the index (solr/conf) to a SolrCloud and creates its two collections, one per generation;
existing ones are reloaded with the new config set. A changed schema applies to documents written afterwards: npm run
reindex rewrites all.

  --url URL            of Solr (default $SOLR_URL, or http://127.0.0.1:8983/solr)
  --collection NAME    prefix of the names of both (default $SOLR_COLLECTION, or carrel)
  --shards N           of each new collection (default 1)
  --replicas N         of each shard (default 1)
  --help               this text

Set SOLR_SECRET to user:password if Solr requires them.`;

const { env } = process;
const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    url: { type: "string", default: env["SOLR_URL"] || "http://127.0.0.1:8983/solr" },
    collection: { type: "string", default: env["SOLR_COLLECTION"] || "carrel" },
    shards: { type: "string", default: "1" },
    replicas: { type: "string", default: "1" },
  },
});

await runCommand(async () => {
  if (positionals[0] !== "setup") return console.log(HELP);
  await setUpSolr({
    url: values.url.replace(/\/$/, ""),
    collection: values.collection,
    credentials: env["SOLR_SECRET"] ?? "",
    shards: Number(values.shards),
    replicas: Number(values.replicas),
  });
  return undefined;
}, "Stopped. The same command goes on from here.");
