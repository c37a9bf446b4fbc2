/**
 * KV that rejects every write, as it does for keys that others write within the same second, and whose reads are late: they
 * return only `known`. `writes` has the keys of all attempts.
 */
export function busyKv(known: Readonly<Record<string, unknown>> = {}) {
  const writes: string[] = [];
  const reject = async (key: string): Promise<never> => {
    writes.push(key);
    throw new Error("KV PUT failed: 429 Too Many Requests");
  };
  const get = async (key: string, type?: string) =>
    key in known ? (type === "json" ? known[key] : JSON.stringify(known[key])) : null;
  return {
    writes,
    kv: Object.assign(Object.create(null), { get, put: reject, delete: reject }) as KVNamespace,
  };
}
