import { mkdir } from "node:fs/promises";
import { readOptions, runCommand } from "./lib/command.ts";
import { type Dump, begin, download, filesOf, published } from "./lib/dump-client.ts";
import { duration, counted } from "./lib/progress-bar.ts";
import { TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run dump -- [options]

Makes a running service create a dump of its whole catalog, waits until it is published, downloads its files and verifies
size, checksum and number of lines. A service makes one dump a day; today's is downloaded if it exists. An interrupted
command resumes; the service continues meanwhile.

  --to DIR       folder for the files (default: none are downloaded)
  --only NAME    download files of this name only, such as ol_cdump, ol_dump_works or
                 ol_dump_works.parquet; may be given again
  --delta DATE   the revisions of one day (YYYY-MM-DD) in place of everything
${TARGET_HELP}`;

const { values } = readOptions(HELP, {
  options: {
    ...TARGET_OPTIONS,
    to: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    delta: { type: "string" },
  },
});

/** Last printed line: a line is not repeated. */
let said = "";

function say({ stage, lines = 0, failures, problem }: Dump) {
  const trouble = failures === 0 ? "" : `, failed ${failures} times: ${problem}`;
  const line = `${stage}: ${counted(lines, "line")}${trouble}`;
  if (line !== said) console.log(line);
  said = line;
}

async function main() {
  const target = await targetOf(values);
  const started = Date.now();
  const kind = values.delta === undefined ? "full" : "delta";
  const { is_new: isNew, dump } = await begin(target, { kind, date: values.delta });
  console.log(
    `${kind === "full" ? "Dump" : "Changes"} of ${dump.date}${isNew ? "" : ", which was begun before"}`,
  );
  await published(dump, target, say);
  console.log(`published after ${duration((Date.now() - started) / 1000)}`);
  const files = await filesOf(dump, target);
  for (const { name, bytes, lines } of files)
    console.log(`${name}: ${counted(lines, "line")}, ${bytes} bytes`);
  if (values.to === undefined) return;
  await mkdir(values.to, { recursive: true });
  const wanted = files.filter(
    ({ name }) =>
      values.only.length === 0 ||
      values.only.includes(name.replace(`_${dump.date}`, "").replace(".txt.gz", "")),
  );
  for (const file of wanted) console.log(`${await download(file, values.to, target)}: complete`);
}

await runCommand(main, "Stopped. The service goes on; the same command takes up from here.");
