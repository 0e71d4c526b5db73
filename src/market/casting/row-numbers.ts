/**
 * Rows that have numbers of their own; fills and rows of the ledger share theirs (`movement`), and
 * `tid` counts the trades that no tape has.
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

/** The last number of each, as plain data. */
export type LastNumbers = Record<Numbered, number>

/** Numbers of rows, each one more than the last. */
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
