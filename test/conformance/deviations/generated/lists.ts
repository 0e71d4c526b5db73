/** Every list in a response: reordered, a row repeated, a row missing, the previous page. */
import type { Operation } from '../../../../src/contract/operation.ts'
import { parametersOf } from '../../../../src/contract/parameters.ts'
import type { Deviation } from '../deviation.ts'
import { readingOf } from '../requested.ts'
import { given, put } from './given-values.ts'
import { listNameOf, rowsChange } from './row-changes.ts'

/** Names of ordered lists other than `data`. */
const ORDERED: Readonly<Record<string, readonly string[]>> = {
  'perpdex.fillsOfAddress': [''],
  'perpdex.topTrades': [''],
  'perpdex.filledOrdersLatest': [''],
  'perpdex.ordersLatest': [''],
  'perpdex.fillsOfBuilder': [''],
  'perpdex.topOpenOrders': [''],
  'perpdex.klinesWithTakerVol': [''],
  'futures.fullDepth': ['asks', 'bids'],
  'futures.latestDepth': ['asks', 'bids'],
  'futures.groupedDepth': ['asks', 'bids'],
  'futures.fundingRateHistory': [''],
  'futures.weightedFundingRateHistory': [''],
  'futures.stablecoinInterestHistory': [''],
  'futures.coinMarginInterestHistory': [''],
  'futures.liquidationHistory': [''],
  'futures.estimatedLiquidationHistory': [''],
  'stock.topGainer': [''],
  'stock.topGainerByPost': [''],
  'signal.strategies': ['list'],
  'perpdex.currentPositionPnl': ['pnls'],
  'perpdex.completedPositionPnl': ['pnls'],
  'perpdex.currentPositionExecutions': ['executions'],
  'perpdex.completedPositionExecutions': ['executions'],
}

export function listDeviations(operation: Operation): Deviation[] {
  const { id } = operation
  const made = (
    kind: 'order' | 'rows',
    name: string,
    what: string,
    change: (rows: unknown[]) => unknown[],
  ): Deviation => ({
    id: `${kind}.${id}${name === '' ? '' : `.${name}`}: ${what}`,
    class: kind,
    of: id,
    change: () => rowsChange(operation, change, name),
  })
  const names = ORDERED[id] ?? []
  const main = listNameOf(operation)
  return [
    ...names.flatMap((name) => [
      made('order', name, 'the other way round', (rows) => [...rows].reverse()),
      made('order', name, 'two rows are swapped', ([first, ...rows]) =>
        rows.length === 0 ? [first].filter((row) => row !== undefined) : swapped([first, ...rows]),
      ),
    ]),
    ...(main === null
      ? []
      : [made('rows', main, 'the first row twice', (rows) => [...rows.slice(0, 1), ...rows])]),
    ...pages(operation),
  ]
}

/** Swaps the last two different rows. */
function swapped(rows: unknown[]): unknown[] {
  const texts = rows.map((row) => JSON.stringify(row))
  const at = texts.findLastIndex((text, index) => index > 0 && text !== texts[index - 1])
  if (at < 1) return rows
  return [...rows.slice(0, at - 1), rows[at], rows[at - 1], ...rows.slice(at + 1)]
}

/** The second page repeats the first. */
function pages(operation: Operation): Deviation[] {
  const page = parametersOf(operation).find(({ name }) => /^page(Num)?$/.test(name))
  if (!page) return []
  return [
    {
      id: `rows.${operation.id}: the second page is the first`,
      class: 'rows',
      of: operation.id,
      change: () =>
        readingOf(operation, (requested) => {
          if (Number(given(requested, page)) > 1) put(requested, page, 1)
        }),
    },
  ]
}
