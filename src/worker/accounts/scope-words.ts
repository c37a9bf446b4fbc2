import type { TokenScope } from "../../catalog/scopes.ts";
import type { Words } from "../ui/words.ts";

/** Scopes in words for people. */
export const SCOPE_WORDS: Readonly<Record<TokenScope, Words>> = {
  read: "scope.read",
  shelves: "scope.shelves",
  lists: "scope.lists",
  ratings: "scope.ratings",
  edit: "scope.edit",
  import: "scope.import",
  account: "scope.account",
  admin: "scope.admin",
  openid: "scope.profile",
  profile: "scope.profile",
  email: "scope.email",
};
