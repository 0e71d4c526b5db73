/**
 * Rows with their own numbers; fills and ledger rows share `movement`, and `tid` counts the trades
 * without a tape.
 */
export type Numbered =
  | 'account'
  | 'trade'
  | 'tid'
  | 'movement'
  | 'position'
  | 'twap'
  | 'liquidation'
  | 'mark'
  | 'book'
  | 'bbo'
  | 'interest'

/** Last number of each kind, as plain data. */
export type LastNumbers = Record<Numbered, number>

/** Consecutive numbers of rows. */
export class RowNumbers {
  constructor(readonly last: LastNumbers = noNumbers()) {}

  next(name: Numbered): number {
    return ++this.last[name]
  }
}

function noNumbers(): LastNumbers {
  return {
    account: 0,
    trade: 0,
    tid: 0,
    movement: 0,
    position: 0,
    twap: 0,
    liquidation: 0,
    mark: 0,
    book: 0,
    bbo: 0,
    interest: 0,
  }
}
