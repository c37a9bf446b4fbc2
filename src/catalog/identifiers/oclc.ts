const NUMBER = /^(?:\(ocolc\)\s*)?(?:oc[mn]|on)?0*([1-9]\d*)$/i;

/**
 * The form in which OCLC numbers are indexed and compared (lookup.md 1.3): digits without prefix and leading
 * zeros, or the trimmed text where that is no number. Undefined when nothing is left.
 */
export function normalizeOclc(text: string): string | undefined {
  const trimmed = text.trim();
  const value = NUMBER.exec(trimmed)?.[1] ?? trimmed;
  return value === "" ? undefined : value;
}
