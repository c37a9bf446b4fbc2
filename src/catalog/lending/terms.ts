import { type ItemMetadata, itemAccess, itemFromSubjects } from "../ebook-access.ts";

/** What the holdings say of a scanned item (lookup.md 18.3). */
export interface Holding extends ItemMetadata {
  /** How many patrons can have it at a time; at least 1. */
  readonly copies: number;
  /** Whether it is lent for an hour too. */
  readonly browse: boolean;
}

/** On which terms an item can be read and lent. */
export interface LendingTerms {
  /** Everybody may read it. */
  readonly isReadable: boolean;
  readonly isLendable: boolean;
  /** Offered to patrons with a print disability. */
  readonly isPrintDisabled: boolean;
  /** 0 where it is not lent. */
  readonly copies: number;
  readonly browse: boolean;
}

/** The terms of an item (lookup.md 3.5, 11.2). */
export function termsOf(holding: Holding): LendingTerms {
  const access = itemAccess(holding);
  const isLendable = access === "borrowable";
  return {
    isReadable: access === "public",
    isLendable,
    isPrintDisabled: isLendable || access === "printdisabled",
    copies: isLendable ? Math.max(1, holding.copies) : 0,
    browse: isLendable && holding.browse,
  };
}

/** The terms of an item without a row, by its work's subjects: one copy, not by the hour; undefined when they do not tell. */
export function termsFromSubjects(subjects: readonly string[]): LendingTerms | undefined {
  const item = itemFromSubjects(subjects);
  return item === undefined ? undefined : termsOf({ ...item, copies: 1, browse: false });
}
