interface MemoOptions {
  /** Minimum number of remembered values; the maximum is twice as many. */
  size: number;
  /** Maximum length of the texts of remembered values, in UTF-16 units. */
  longest?: number;
}

/** Returns a function of recurring texts that remembers the latest values, and those that are used again. */
export function memoize<Value extends {}>(
  compute: (text: string) => Value,
  { size, longest = Number.POSITIVE_INFINITY }: MemoOptions,
): (text: string) => Value {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return (text) => {
    const cached = young.get(text);
    if (cached !== undefined) return cached;
    const value = old.get(text) ?? compute(text);
    if (text.length > longest) return value;
    if (young.size >= size) {
      old = young;
      young = new Map();
    }
    young.set(text, value);
    return value;
  };
}

/** Returns a function that remembers its value for each object, as long as the object lives. */
export function memoizeByObject<Key extends object, Value extends {}>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    values.set(key, value);
    return value;
  };
}
