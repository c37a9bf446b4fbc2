import type { LendingStatus } from "../../../src/catalog/lending/loan.ts";

/** Status of an item with one free copy; members override it. */
export function lendingStatus(members: Partial<LendingStatus> = {}): LendingStatus {
  return {
    isReadable: false,
    isLendable: true,
    isPrintDisabled: true,
    copies: 1,
    free: 1,
    activeBorrows: 0,
    activeBrowses: 0,
    browsable: 0,
    canBrowse: false,
    waiting: 0,
    reserved: 0,
    lastLoan: null,
    lastWaiting: null,
    nextExpiry: null,
    patron: null,
    ...members,
  };
}
