/** Bytes of a record, which the five digits of its length bound. */
export const MARC_LENGTH_MAX = 99_999;
/** A field longer than this many bytes may be continued by the next one. */
export const WRAPPED_LENGTH = 500;
/** Bytes that the fields of a record may take together, in lengths of the record: in sound ones they do not overlap. */
export const OVERLAP_MAX = 4;
/** Bytes of a record of MARCXML within a collection. */
export const XML_RECORD_BYTES_MAX = 1024 * 1024;
/** Bytes of the start tag of a collection. */
export const XML_HEAD_BYTES_MAX = 64 * 1024;
