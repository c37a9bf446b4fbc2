import { operation } from "../../http/operation.ts";
import { createPage } from "../../pages/account/create-page.ts";

/** `GET /account/create`: the form. */
export const createForm = operation({
  id: "createAccountPage",
  summary: "Page with the registration form",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  handle: () => createPage(),
});
