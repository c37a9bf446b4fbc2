import path from "node:path";
import { build } from "esbuild";
import { ROOT } from "./paths.ts";

/**
 * What a file of src/ exports, out of TypeScript that not every Node reads. Compiled code and the driver of PostgreSQL
 * are left out.
 */
export async function importSource(file: string): Promise<any> {
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
