import { gunzipSync } from "node:zlib";
import { type FileMetaData, parquetMetadata, parquetReadObjects } from "hyparquet";

/** A Parquet file as another library reads it: what its end says, and its rows. */
export async function readParquet(
  bytes: Uint8Array,
): Promise<{ metadata: FileMetaData; rows: Record<string, unknown>[] }> {
  const file = new Uint8Array(bytes).buffer;
  const compressors = { GZIP: (packed: Uint8Array) => new Uint8Array(gunzipSync(packed)) };
  return { metadata: parquetMetadata(file), rows: await parquetReadObjects({ file, compressors }) };
}
