import { LoadError } from "./load-client.mjs";

/**
 * Runs what a command does. Whoever stops it reads `stopped`; what can be expected to go wrong is told in a sentence.
 * @param {() => Promise<void>} main
 * @param {string} stopped
 */
export async function runCommand(main, stopped) {
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      console.error(`\n${stopped}`);
      process.exit(130);
    });
  }
  try {
    await main();
  } catch (error) {
    const isExpected = error instanceof LoadError || (error instanceof Error && "code" in error);
    if (!isExpected) throw error;
    console.error(`\n${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
