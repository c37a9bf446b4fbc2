import type { AnyOperation } from "../../http/operation.ts";
import { deleteCheckIn } from "./check-in-delete.ts";

/** `POST /check-ins/<id>/delete`: the same for pages, whose forms know no `DELETE`. */
export const deleteCheckInForm: AnyOperation = { ...deleteCheckIn, id: "deleteCheckInForm" };
