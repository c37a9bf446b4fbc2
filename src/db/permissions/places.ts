/** Path of a key upwards: `/people/a/lists/OL1L` lies in `/people/a/lists`, `/people/a`, `/people`, `/`. */
export function ancestorsOf(key: string): string[] {
  const ancestors: string[] = [];
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    ancestors.push(key.slice(0, end));
  }
  return key === "/" ? [] : [...ancestors, "/"];
}

/** The places whose permissions decide on these keys, other than the keys themselves. */
export function placesAbove(keys: readonly string[]): string[] {
  return [...new Set(keys.flatMap(ancestorsOf))];
}
