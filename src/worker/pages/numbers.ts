/** A number as people read it, with its thousands set apart. */
export function grouped(value: number): string {
  return value.toLocaleString("en");
}
