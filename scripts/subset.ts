import { appendFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { marcCodeOf } from "../src/catalog/language.ts";
import { markOf } from "./lib/change-log.ts";
import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { tabLine } from "./lib/import-batch.ts";
import { updateIndex } from "./lib/index-client.ts";
import { FLAG, FOLDER_OF_TYPE } from "./lib/key-spaces.ts";
import { loadFile, rejectsOf } from "./lib/load-file.ts";
import { counted, duration } from "./lib/progress-bar.ts";
import { TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";
import { languageLines } from "./lib/starter.ts";
import { type Choice, WorkChoice } from "./lib/subset-choice.ts";
import { Passes } from "./lib/subset-passes.ts";
import { SubsetRecords } from "./lib/subset-records.ts";

const HELP = `usage: npm run subset -- --from DUMP [DUMP...] [options]

Makes a small catalog out of full dumps (plain or .gz, in any order) and loads it into a running service: the chosen
works, all their editions, the authors, series and tags that these name, redirects to them, and the chosen lists. A
reference to a record that is left out is removed. Reads each dump up to four times and needs about 450 MB of memory
for all records of Open Library. An interrupted command goes on after the last complete pass. Lines that are no
records are written to DUMP.rejects.tsv in this folder.

  --from DUMP        a dump file; may be given again
  --languages CODES  works with an edition in one of these languages: eng,ger
  --subjects NAMES   works with one of these subjects: love,place:london,person:napoleon,time:19th_century
  --lists KEYS       works that one of these lists names, by works, editions, authors or subjects: /people/ann/lists/OL1L
  --top N            of these works, the N with most editions
  --only-languages   leave out their editions in other languages
  --to FILE          the new dump file (default subset.txt.gz)
  --covers FILE      write the numbers of covers and photos, one a line
  --no-load          load nothing
  --no-index         leave the search index to the service, or to npm run reindex
  --restart          begin again with the first pass
${TARGET_HELP}`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    ...TARGET_OPTIONS,
    from: { type: "string", multiple: true, default: [] },
    languages: { type: "string", multiple: true, default: [] },
    subjects: { type: "string", multiple: true, default: [] },
    lists: { type: "string", multiple: true, default: [] },
    top: { type: "string" },
    "only-languages": { type: "boolean", default: false },
    to: { type: "string", default: "subset.txt.gz" },
    covers: { type: "string" },
    "no-load": { type: "boolean", default: false },
    "no-index": { type: "boolean", default: false },
    restart: { type: "boolean", default: false },
  },
});

const files = [...values.from, ...positionals];
/** Types that say which works are chosen, and what these name. */
const RATED = ["/type/work", "/type/edition"];
/** Types that are written after the editions. */
const OTHERS = [...FOLDER_OF_TYPE.keys(), "/type/redirect"].filter((type) => type !== "/type/edition");
const split = (texts: string[]) =>
  texts.flatMap((text) => text.split(",")).filter((text) => text.trim() !== "");

function choiceOf(languages: ReadonlySet<string>): Choice {
  const choice = {
    languages: split(values.languages).map((text) => marcCodeOf(text) ?? text),
    subjects: split(values.subjects),
    lists: split(values.lists),
    top: values.top === undefined ? undefined : Number(values.top),
    onlyLanguages: values["only-languages"],
  };
  const { top } = choice;
  if (files.length === 0) throw new CommandError("Name a dump with --from. See --help.");
  if (top !== undefined && (!Number.isSafeInteger(top) || top < 1))
    throw new CommandError("--top must be a number from 1.");
  const unknown = choice.languages.find((code) => !languages.has(`/languages/${code}`));
  if (unknown !== undefined)
    throw new CommandError(`There is no language ${unknown}. Use MARC codes such as eng or ger.`);
  if (choice.onlyLanguages && choice.languages.length === 0)
    throw new CommandError("--only-languages needs --languages.");
  if (
    top === undefined &&
    [choice.languages, choice.subjects, choice.lists].every((list) => list.length === 0)
  )
    throw new CommandError("Choose works by --languages, --subjects, --lists or --top. See --help.");
  return choice;
}

async function main() {
  const languages = new Set<string>();
  for await (const line of languageLines()) languages.add(line.split("\t")[1] ?? "");
  const choice = choiceOf(languages);
  // Missing files and a missing service are reported before anything begins.
  const dumps = files.map((file) => [path.resolve(file), statSync(file).size, statSync(file).mtimeMs]);
  if (!values["no-load"]) await markOf(await targetOf(values));
  const started = Date.now();
  const works = new WorkChoice(choice);
  const records = new SubsetRecords(works, languages);
  const passes = new Passes(files, values.to, JSON.stringify([choice, dumps, values.covers]));
  if (values.restart) passes.end();
  const done = passes.resume(works, records);
  if (done > 0) console.log(`going on after pass ${done}`);
  await passes.run(
    [
      { name: "finding records", run: () => findRecords(passes, works) },
      { name: "choosing works", types: RATED, run: () => chooseWorks(passes, works) },
      {
        name: "writing editions",
        types: RATED,
        run: () => passes.write((text) => records.takeEdition(text)),
      },
      {
        name: "writing other records",
        types: OTHERS,
        run: async () => {
          await passes.write(
            (text) => records.takeOther(text),
            () => records.takeLists(),
          );
          if (values.covers !== undefined) writeNumbers(values.covers, records.covers.numbers(FLAG.chosen));
        },
      },
    ],
    works,
    records,
  );
  console.log(
    `${values.to}: ${listCounts(records.counts.written)} in ${duration((Date.now() - started) / 1000)}`,
  );
  const removed = listCounts(records.counts.removed);
  if (removed !== "") console.log(`removed references to records that are not in it, by folder: ${removed}`);
  if (works.orphans > 0) console.log(`left out ${works.orphans} editions whose work is not in the dumps`);
  if (!values["no-load"]) {
    const target = { ...(await targetOf(values)), index: "later" as const };
    await loadFile(values.to, target, values);
    if (!values["no-index"]) await updateIndex(target);
  }
  passes.end();
}

async function findRecords(passes: Passes, works: WorkChoice) {
  for (const file of files) rmSync(rejectsOf(file), { force: true });
  let rejected = 0;
  for await (const { number, text, file, types } of passes.lines()) {
    const reason = works.scan(text, types);
    if (reason === undefined) continue;
    appendFileSync(rejectsOf(file), tabLine([number, reason]));
    rejected += 1;
  }
  const rejects = files.map(rejectsOf).filter((file) => existsSync(file));
  if (rejected > 0) console.log(`${counted(rejected, "line")} rejected (see ${rejects.join(", ")})`);
  const missing = works.missingLists();
  if (missing.length > 0) throw new CommandError(`The dumps do not have the list ${missing.join(", ")}.`);
}

async function chooseWorks(passes: Passes, works: WorkChoice) {
  works.readLists();
  for await (const { text } of passes.lines()) if (text !== undefined) works.rate(text);
  const chosen = works.chooseWorks();
  if (chosen === 0) {
    passes.end();
    throw new CommandError("No work of these dumps fits.");
  }
  console.log(`${counted(chosen, "work")} chosen`);
}

function writeNumbers(file: string, numbers: Iterable<number>) {
  writeFileSync(`${file}.new`, "");
  for (const number of numbers) appendFileSync(`${file}.new`, `${number}\n`);
  renameSync(`${file}.new`, file);
}

function listCounts(counts: Record<string, number>) {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .toSorted()
    .join(", ");
}

await runCommand(main, "Stopped. The same command goes on from here.");
