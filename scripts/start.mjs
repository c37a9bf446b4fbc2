import "./lib/require-node.mjs";

// Old versions of Node cannot even read some of what this imports.
const { main } = await import("./lib/local-service.mjs");
await main(process.argv.slice(2), process.env);
