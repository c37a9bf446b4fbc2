import { buildAndStop } from "./bundle.ts";
import { ROOT } from "./paths.ts";

/** Imports a file of src/, without WebAssembly and the PostgreSQL driver, which Node cannot load from there. */
// oxlint-disable-next-line typescript/no-explicit-any -- a module of any shape
export async function importSource<Module = any>(file: string): Promise<Module> {
  return importText(`export * from "./${file}";`, ROOT);
}

/** Imports a module whose text may import files below a folder, under the same conditions. */
// oxlint-disable-next-line typescript/no-explicit-any -- a module of any shape
export async function importText<Module = any>(contents: string, resolveDir: string): Promise<Module> {
  const { outputFiles } = await buildAndStop({
    stdin: { contents, resolveDir },
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
