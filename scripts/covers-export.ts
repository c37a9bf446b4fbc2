import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { COVERS_OF_FILE, exportCovers } from "./lib/cover-archives.ts";
import { duration, counted } from "./lib/progress-bar.ts";
import { TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run covers-export -- --to DIR [options]

Writes the images of all covers as ZIP files of 10,000 covers each: DIR/covers_0100/covers_0100_00.zip and, for
the smaller sizes, DIR/s_covers_0100/s_covers_0100_00.zip, m_ and l_. Members are called 0100000001.jpg and
0100000001-S.jpg, whatever type an image has. Existing files are overwritten.

  --to DIR       folder for the files
  --after ID     only covers with higher numbers: those of the last file of an earlier export, and newer ones
${TARGET_HELP}`;

/** Number of covers between two progress lines. */
const TOLD = 1000;

const { values } = readOptions(HELP, {
  options: {
    ...TARGET_OPTIONS,
    to: { type: "string" },
    after: { type: "string", default: "0" },
  },
});

async function main() {
  const after = Number(values.after);
  if (values.to === undefined || !Number.isSafeInteger(after) || after < 0) {
    throw new CommandError("Name a folder with --to, and after --after a number. See --help.");
  }
  const started = Date.now();
  const { covers, images, files } = await exportCovers(await targetOf(values), {
    to: values.to,
    // A file is written as a whole, so it begins with its first cover.
    after: Math.max(0, after - (after % COVERS_OF_FILE) - 1),
    onCover: (count, id) => {
      if (count % TOLD === 0) console.log(`${counted(count, "cover")}, up to ${id}`);
    },
  });
  console.log(
    `${counted(covers, "cover")}, ${counted(images, "image")} in ${counted(files, "file")}, in ${duration((Date.now() - started) / 1000)}`,
  );
}

await runCommand(main, "Stopped. The same command begins again.");
