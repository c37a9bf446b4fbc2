import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { ProgressBar, duration } from "./lib/progress-bar.ts";
import { bookText, deleteText, itemOfFile, putText } from "./lib/texts.ts";
import { type Target, TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run load-text -- ITEM FILE... [options]
       npm run load-text -- --each FILE... [options]
       npm run load-text -- --delete ITEM...

Loads the text of a scanned book, so that /search/inside.json finds it. ITEM is the id of the scan: the ocaid of
its edition, which supplies everything that no option gives. One file holds the book with form feeds between
its pages; several files are one page each, in the order given. Files are UTF-8, plain or .gz. Loading a text
again replaces it.

  --each             each file is a book, named after its item (ITEM.txt, ITEM_djvu.txt.gz)
  --delete           remove the texts of items
  --title TEXT       --date TEXT         --year N       --mediatype TEXT   --downloads N
  --creator NAME     --publisher NAME    --language CODE_OR_NAME           --collection NAME
  --subject TEXT     (from --creator on may be given several times)
${TARGET_HELP}`;

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean", default: false } as const;
/** Options with metadata of a book. */
const METADATA = {
  title: text,
  date: text,
  year: text,
  mediatype: text,
  downloads: text,
  creator: texts,
  publisher: texts,
  language: texts,
  collection: texts,
  subject: texts,
};
const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    ...TARGET_OPTIONS,
    ...METADATA,
    each: flag,
    delete: flag,
  },
});

/** Returns the files of each item. */
function books() {
  if (values.each) return positionals.map((file) => ({ item: itemOfFile(file), files: [file] }));
  const [item = "", ...files] = positionals;
  if (files.length === 0)
    throw new CommandError("Name an item and its files, or files with --each. See --help.");
  return [{ item, files }];
}

async function load(target: Target) {
  const wanted = books();
  const given = Object.entries(values).filter(([name]) => name in METADATA);
  const metadata = Object.fromEntries(given) as Record<string, string | string[]>;
  const bar = new ProgressBar("texts");
  const started = Date.now();
  let pages = 0;
  for (const [index, { item, files }] of wanted.entries()) {
    const book = { item, text: await bookText(files), metadata };
    const stored = await putText(book, target);
    pages += stored.pages;
    bar.update((index + 1) / wanted.length, index + 1);
    if (wanted.length === 1) console.log(`${item}: ${stored.title ?? "no title"}, ${stored.pages} pages`);
  }
  bar.done();
  const seconds = (Date.now() - started) / 1000;
  console.log(`${wanted.length} texts with ${pages} pages in ${duration(seconds)}`);
}

async function remove(target: Target) {
  for (const item of positionals) {
    await deleteText(item, target);
    console.log(`${item}: removed`);
  }
}

async function main() {
  if (positionals.length === 0) return console.log(HELP);
  const target = await targetOf(values);
  await (values.delete ? remove(target) : load(target));
}

await runCommand(main, "Stopped. The same command begins again.");
