interface Remembering {
  /** Values that are kept: at least so many, and at most twice. */
  readonly size: number;
  /** Values of longer texts are not kept, in UTF-16 units. */
  readonly longest?: number;
}

/** A function of texts that recur: it keeps the latest values, and those that are asked for again. */
export function remembered<Value extends {}>(
  make: (text: string) => Value,
  { size, longest = Number.POSITIVE_INFINITY }: Remembering,
): (text: string) => Value {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return (text) => {
    const kept = young.get(text);
    if (kept !== undefined) return kept;
    const value = old.get(text) ?? make(text);
    if (text.length > longest) return value;
    if (young.size >= size) {
      old = young;
      young = new Map();
    }
    young.set(text, value);
    return value;
  };
}
