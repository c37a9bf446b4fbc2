import { sourceFiles } from "./sources.mjs";

/** Most lines of a source file; oxlint caps functions and parameters. */
const LINES_MAX = 400;
/** What the median file must stay below, in lines. */
const MEDIAN_MAX = 80;

/** Files that are too long, and a median that has crept up. */
export async function sizeProblems() {
  const files = (
    await Promise.all(
      ["src", "scripts", "test", "bench"].map((folder) => sourceFiles(folder, /\.(?:ts|mjs)$/)),
    )
  ).flat();
  const sizes = files.map(({ name, text }) => ({ name, lines: text.split("\n").length }));
  const long = sizes.filter(({ lines }) => lines > LINES_MAX);
  const own = sizes
    .filter(({ name }) => name.startsWith("src"))
    .map(({ lines }) => lines)
    .sort((a, b) => a - b);
  const median = own[Math.floor(own.length / 2)] ?? 0;
  return [
    ...long.map(({ name, lines }) => `${name}: ${lines} lines, the cap is ${LINES_MAX}`),
    ...(median > MEDIAN_MAX ? [`median file of src/: ${median} lines, the cap is ${MEDIAN_MAX}`] : []),
  ];
}
