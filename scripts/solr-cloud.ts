// Starts a SolrCloud for tests and benchmarks (lib/solr-cloud.ts), and prints the addresses of its nodes.
import { readOptions, runCommand } from "./lib/command.ts";
import { startSolrCloud } from "./lib/solr-cloud.ts";

const HELP = `usage: node scripts/run.mjs solr-cloud [options]

  --nodes N            nodes, each a process of Java (1)
  --port N             port of the first node, the others follow it; free ones by default
  --config NAME=DIR    a config set, as often as needed
  --heap SIZE          of each node (512m)
  --help               this text

It needs Java 17 and Maven, which fetches Solr once. All that it stores is dropped when it ends.`;

const { values } = readOptions(HELP, {
  options: {
    nodes: { type: "string", default: "1" },
    port: { type: "string" },
    config: { type: "string", multiple: true, default: [] },
    heap: { type: "string", default: "512m" },
  },
});

await runCommand(async () => {
  const [nodes, port] = [Number(values.nodes), values.port === undefined ? undefined : Number(values.port)];
  const ports = port === undefined ? undefined : Array.from({ length: nodes }, (_, index) => port + index);
  const configs = Object.fromEntries(
    values.config.map((config) => [
      config.slice(0, config.indexOf("=")),
      config.slice(config.indexOf("=") + 1),
    ]),
  );
  const cloud = await startSolrCloud({ nodes, configs, heap: values.heap, ...(ports && { ports }) });
  for (const { url } of cloud.nodes) console.log(url);
  console.log("ready");
}, "stopped");
