import { CommandError } from "./command.mjs";
import { knownToken } from "./token.mjs";

/**
 * The service that a command is for: its address, and the token it was given or that of the local state.
 * @param {{ url: string, token?: string | undefined, state: string }} values
 */
export async function targetOf({ url, token: given, state }) {
  const token = given ?? process.env["LOAD_TOKEN"] ?? (await knownToken(state));
  if (token === undefined) throw new CommandError(`There is no token in ${state}. Give one with --token.`);
  return { url: url.replace(/\/$/, ""), token, fetch };
}
