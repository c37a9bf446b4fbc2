import { spawnSync } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/lib/paths.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { reportSkip } from "../support/node/skips.ts";

const READY_SECONDS = 180;
const TIMEOUT_MS = 300_000;
const SCHEMA = path.join(ROOT, "test/support/schemas/library.rnc");
const ALL = "q=*:*&limit=1000";

const REQUESTS = [
  ...["marcxml", "mods", "dc"].flatMap((name) => [`books/OL104M.${name}`, `search.${name}?${ALL}`]),
  ...["Identify", "ListSets", "ListMetadataFormats", "Nothing", "ListRecords"].map(
    (verb) => `oai?verb=${verb}`,
  ),
  ...["marc21", "oai_dc"].flatMap((format) => [
    `oai?verb=ListRecords&metadataPrefix=${format}`,
    `oai?verb=ListIdentifiers&metadataPrefix=${format}&set=works`,
    `oai?verb=GetRecord&metadataPrefix=${format}&identifier=oai:HOST:OL104M`,
  ]),
  ...["1.1", "1.2", "2.0"].flatMap((version) => [
    ...["marcxml", "mods", "dc", "oai_dc"].map(
      (schema) => `sru?version=${version}&query=love&maximumRecords=100&recordSchema=${schema}`,
    ),
    `sru?version=${version}&query=bath.isbn=9780141439518`,
    `sru?version=${version}&query=love&recordPacking=string&stylesheet=a`,
    `sru?version=${version}&query=fnord=1`,
    `sru?version=${version}&scanClause=dc.creator=austen`,
    `sru?version=${version}&scanClause=fnord=1`,
  ]),
];

const hasJing = spawnSync("jing").error === undefined;
if (!hasJing) reportSkip("jing");

test.skipIf(!hasJing)(
  "XML of the starter catalog is as the public schemas want it",
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-schemas-"));
    const service = ServiceProcess.start(["--state", path.join(folder, "state")]);
    try {
      const url = await service.ready(READY_SECONDS);
      const files: string[] = [];
      for (const [number, request] of REQUESTS.entries()) {
        const response = await fetch(new URL(request.replace("HOST", new URL(url).hostname), url));
        const file = path.join(folder, `${number}.xml`);
        await writeFile(file, await response.text());
        files.push(file);
      }
      const { status, stdout } = spawnSync("jing", ["-c", SCHEMA, ...files], { encoding: "utf8" });
      const problems = [...stdout.matchAll(/(\d+)\.xml:(.*)/g)].map(
        ([, number, problem]) => `${REQUESTS[Number(number)]}: ${problem}`,
      );
      expect([status, problems.slice(0, 10)]).toEqual([0, []]);
      await service.stop("SIGTERM");
    } finally {
      service.kill();
    }
  },
  TIMEOUT_MS,
);
