import type { DumpKind } from "../../catalog/dumps/files.ts";
import { type PublishedFile, publishedFiles } from "../../db/dumps/published.ts";
import type { Database } from "../../db/statement.ts";
import { DELTAS_KEPT, FULL_DUMPS_KEPT } from "./sweep-dumps.ts";

/** Files of all dumps that are kept, and of some that are about to be deleted. */
export const PUBLISHED_FILES_MAX = 2 * (FULL_DUMPS_KEPT * 13 + DELTAS_KEPT);

/** A dump as people and programs find it. Times are naive UTC. */
export interface PublishedDump {
  readonly kind: DumpKind;
  readonly date: string;
  readonly begun: string;
  readonly published: string;
  readonly after_change: number;
  readonly change: number;
  readonly files: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly lines: number;
    readonly sha256: string;
  }[];
}

/** All dumps that can be downloaded, newest first. One round trip. */
export async function publishedDumps(catalog: Database): Promise<PublishedDump[]> {
  const found = await publishedFiles(catalog, PUBLISHED_FILES_MAX);
  const dumps = Map.groupBy(found, ({ kind, date }) => `${kind} ${date}`);
  return [...dumps.values()].flatMap((files) => {
    const [first] = files;
    return first === undefined ? [] : [dumpOf(first, files)];
  });
}

function dumpOf(first: PublishedFile, files: readonly PublishedFile[]): PublishedDump {
  return {
    kind: first.kind,
    date: first.date,
    begun: first.begun,
    published: first.published,
    after_change: first.afterChange,
    change: first.change,
    files: files.map(({ name, bytes, lines, digest }) => ({ name, bytes, lines, sha256: digest })),
  };
}
