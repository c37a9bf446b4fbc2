import { folderOf } from "../../catalog/dumps/files.ts";
import { madeFiles } from "../../db/dumps/published.ts";
import type { DumpWork, StageStep } from "./dump-work.ts";

/** Puts what a dump consists of beside its files; after that it is published. */
export async function writeManifest({ stores, dump }: DumpWork): Promise<StageStep> {
  const files = await madeFiles(stores.catalog, dump.id);
  const manifest = {
    kind: dump.kind,
    date: dump.date,
    begun: dump.begun,
    after_change: dump.after_change,
    change: dump.change_id,
    files: files.map(({ name, bytes, lines, digest }) => ({ name, bytes, lines, sha256: digest })),
  };
  await stores.archive.put(
    `${folderOf(dump.kind, dump.date)}/manifest.json`,
    `${JSON.stringify(manifest, null, 2)}\n`,
    { httpMetadata: { contentType: "application/json" } },
  );
  return { position: null };
}
