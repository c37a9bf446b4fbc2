import path from "node:path";
import { build } from "esbuild";
import { ROOT } from "./paths.ts";

/** Imports a file of src/, without WebAssembly and the PostgreSQL driver, which Node cannot load from there. */
// oxlint-disable-next-line typescript/no-explicit-any -- a module of any shape
export async function importSource<Module = any>(file: string): Promise<Module> {
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, file)],
    bundle: true,
    format: "esm",
    external: ["node:*", "pg"],
    loader: { ".wasm": "empty" },
    logLevel: "error",
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}
