/** How a loan is held: for an hour, or for two weeks (lookup.md 13.2). */
export type LoanKind = "browse" | "borrow";

/** A loan, wherever it is kept. Times are milliseconds since the epoch. */
export interface Loan {
  /** 32 hexadecimal digits for loans of this service. */
  readonly uuid: string;
  /** Id of the scanned item. */
  readonly ocaid: string;
  /** Username of who has it, in lower case; null when nobody here is known by that name. */
  readonly patron: string | null;
  /** Key of the edition; `/books/ia:<ocaid>` without one. */
  readonly book: string;
  readonly kind: LoanKind;
  readonly loanedAt: number;
  /** Null: not fulfilled yet. */
  readonly expiry: number | null;
}

/** A place in the queue for an item. */
export interface WaitingPlace {
  readonly ocaid: string;
  readonly patron: string;
  readonly book: string;
  /** `available`: a copy is kept for the patron until `expiry`. */
  readonly status: "waiting" | "available";
  /** From 1. */
  readonly position: number;
  /** How many wait in all. */
  readonly queueLength: number;
  readonly since: number;
  readonly updated: number;
  readonly expiry: number | null;
}

/** How an item stands, and how a patron stands to it (lookup.md 11.4). Times are milliseconds since the epoch. */
export interface LendingStatus {
  readonly isReadable: boolean;
  readonly isLendable: boolean;
  readonly isPrintDisabled: boolean;
  readonly copies: number;
  /** Copies that nobody has and that are kept for nobody. */
  readonly free: number;
  readonly activeBorrows: number;
  readonly activeBrowses: number;
  /** Copies that can be had for an hour, if they are free. */
  readonly browsable: number;
  /** One of them is free. */
  readonly canBrowse: boolean;
  readonly waiting: number;
  /** Copies kept for those whose turn it is. */
  readonly reserved: number;
  readonly lastLoan: number | null;
  readonly lastWaiting: number | null;
  readonly nextExpiry: number | null;
  /** Of the patron who asks; null when nobody asks. */
  readonly patron: {
    readonly loan: Loan | null;
    readonly place: WaitingPlace | null;
    readonly loanCount: number;
    readonly isPrintDisabled: boolean;
  } | null;
}

/** A loan or a return (lookup.md 13.6). */
export interface LendingChange {
  readonly uid: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly ocaid: string;
  readonly patron: string | null;
  readonly loan: string;
  readonly event: "borrow" | "return";
  readonly until: number | null;
}
