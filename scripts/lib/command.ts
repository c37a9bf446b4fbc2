import { type ParseArgsConfig, parseArgs } from "node:util";

/** Environment variables. Unlike `NodeJS.ProcessEnv` it does not contain the bindings of the worker. */
export type Environment = Record<string, string | undefined>;

/** Expected failure; its message is shown to the user without a stack trace. */
export class CommandError extends Error {}

/**
 * Parses the options of a command. Prints the help and exits on --help; prints an error and exits on unknown options.
 */
export function readOptions<Config extends ParseArgsConfig>(
  help: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    const { values } = parseArgs({ ...config, options: { ...config.options, help: { type: "boolean" } } });
    if (!Object(values).help) return parseArgs(config);
    console.log(help);
    return process.exit(0);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message}. See --help.`);
    return process.exit(1);
  }
}

/** Runs a command. Prints `stopped` if a signal interrupts it, and expected failures as one sentence. */
export async function runCommand(main: () => Promise<void>, stopped: string) {
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      console.error(`\n${stopped}`);
      process.exit(130);
    });
  }
  try {
    await main();
  } catch (error) {
    const problem = explain(error);
    if (problem === undefined) throw error;
    console.error(`\n${problem}`);
    process.exitCode = 1;
  }
}

/** Returns the code of a system error, such as `ENOENT`; undefined for other errors. */
export function codeOf(error: unknown) {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** Explanations of file system errors by code. */
const FILE_PROBLEMS: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the disk is read-only",
  EACCES: "no permission",
  EPERM: "no permission",
  ENOTDIR: "a file stands where a folder should be",
  EEXIST: "a file stands where a folder should be",
  EISDIR: "it is a folder, not a file",
};

/** Returns the message for an expected error, undefined for others. */
export function explain(error: unknown) {
  if (error instanceof CommandError) return error.message;
  if (!(error instanceof Error && "code" in error)) return undefined;
  const { code, path: file, message } = error as NodeJS.ErrnoException;
  const problem = FILE_PROBLEMS[code ?? ""];
  return problem === undefined ? message : `${file ?? "Writing failed"}: ${problem}.`;
}
