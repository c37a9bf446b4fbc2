import { authorFormPage } from "../../forms/author-page.ts";
import { type EditedKind, editPageOperation } from "../../forms/edit-page-operation.ts";

const AUTHOR: EditedKind = { noun: "author", folder: "authors", letter: "A", page: authorFormPage };

/** `GET /authors/OL1A/edit` */
export const editAuthorForm = editPageOperation(AUTHOR, false);
/** The same at the readable address. */
export const editAuthorFormAtPage = editPageOperation(AUTHOR, true);
