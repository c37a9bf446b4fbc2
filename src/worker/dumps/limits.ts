/** Bounds of the steps of a dump. They decide where files are split, so that the same records make the same files. */
export interface DumpLimits {
  /** Lines, and bytes of them, after which another chunk begins. */
  readonly chunkLines: number;
  readonly chunkBytes: number;
  /** Records or revisions that one statement reads. */
  readonly statementRecords: number;
  /** Bytes of each part of a file but the last: R2 wants them equal, and at least 5 MiB. */
  readonly partBytes: number;
  /**
   * Members that one step reads. A part of a file with few lines lies in more of them, each in an object of its own, and
   * an invocation of a worker may call R2 a thousand times.
   */
  readonly composedMembers: number;
  /** Calls of R2 for parts of files after which another message continues. */
  readonly runCalls: number;
  /** Bytes of lines after which a row group is full. Its records are in memory at once, as texts and as values. */
  readonly rowGroupBytes: number;
}

export const DUMP_LIMITS: DumpLimits = {
  chunkLines: 20_000,
  chunkBytes: 4_000_000,
  statementRecords: 5000,
  partBytes: 8 * 1024 * 1024,
  composedMembers: 400,
  runCalls: 100,
  rowGroupBytes: 8_000_000,
};
