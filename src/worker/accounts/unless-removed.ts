import { isRemoved } from "../../durable/protocol.ts";

/** Returns the result of a call to a patron's object; undefined if the account has been or is being removed. */
export async function unlessRemoved<Value>(call: Promise<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isRemoved(error)) return undefined;
    throw error;
  }
}
