/** True for the error of a call to an object that has too much to do: it refuses calls before it sees them. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof Error && "overloaded" in error && error.overloaded === true;
}
