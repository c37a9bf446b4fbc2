/** Bytes that a database takes, as the platform says with the answer to any statement. */
export async function readDatabaseSize(database: D1Database): Promise<number> {
  const { meta } = await database.prepare("SELECT 1").run();
  return meta.size_after;
}
