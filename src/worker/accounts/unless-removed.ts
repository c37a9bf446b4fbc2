import { isRemoved } from "../../durable/patron/removal.ts";

/** What a call of a patron's object comes to; undefined where his account is removed, or is being removed. */
export async function unlessRemoved<Value>(call: Promise<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isRemoved(error)) return undefined;
    throw error;
  }
}
