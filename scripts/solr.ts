// Makes the collections of the search index in a SolrCloud, or brings them up to date.
import { readOptions, runCommand } from "./lib/command.ts";
import { setUpSolr } from "./lib/solr-setup.ts";

const HELP = `usage: npm run solr -- setup [options]

Gives a SolrCloud the config set of the index (solr/conf) and makes its two collections, one a generation; those that are
there are loaded anew with the config set as it is now. A changed schema holds for what is written from then on: npm run
reindex writes all anew.

  --url URL            of Solr (default $SOLR_URL, or http://127.0.0.1:8983/solr)
  --collection NAME    what the names of both begin with (default $SOLR_COLLECTION, or carrel)
  --shards N           of each collection that is made (1)
  --replicas N         of each shard (1)
  --help               this text

The environment has SOLR_SECRET, user:password, if Solr asks for them.`;

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
