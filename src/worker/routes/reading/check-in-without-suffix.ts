import type { AnyOperation } from "../../http/operation.ts";
import { checkIn } from "./check-in.ts";

/** `POST /works/OL1W/check-ins`: the same at the address without a suffix, which the interface names by itself. */
export const checkInWithoutSuffix: AnyOperation = { ...checkIn, id: "checkInWithoutSuffix" };
