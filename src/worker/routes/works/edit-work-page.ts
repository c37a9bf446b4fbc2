import { type EditedKind, editPageOperation } from "../../forms/edit-page-operation.ts";
import { workFormPage } from "../../forms/work-page.ts";

const WORK: EditedKind = { noun: "work", folder: "works", letter: "W", page: workFormPage };

/** `GET /works/OL1W/edit` */
export const editWorkForm = editPageOperation(WORK, false);
/** The same at the readable address. */
export const editWorkFormAtPage = editPageOperation(WORK, true);
