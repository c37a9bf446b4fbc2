const RECORD_KEY = /^\/[^\s\p{Cc}]{0,500}$/u;

/** True for texts that can be the key of a record: the same ones that a dump may bring (records.md 1.3). */
export function isRecordKey(text: string): boolean {
  return RECORD_KEY.test(text);
}
