const RECORD_KEY = /^\/[^\s\p{Cc}\p{Cs}]{0,500}$/u;

/**
 * True for texts that can be the key of a record: the same ones that a dump may bring (records.md 1.3). Half a
 * surrogate pair is no text that the database could find again.
 */
export function isRecordKey(text: string): boolean {
  return RECORD_KEY.test(text);
}
