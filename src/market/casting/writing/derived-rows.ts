/** Derives rows from bars alone, on the writing thread, which is idle more often. */
import { type CrowdLiquidationOrder, crowdLiquidationRows } from '../history/crowd-liquidations.ts'
import { type BarOrder, barRows } from '../history/past-rows.ts'
import type { TableRow } from './row-sink.ts'

/** Input of derived rows, as plain data. */
export type DerivedRows = CrowdLiquidationOrder | BarOrder

type Add = <N extends DerivedRows['table']>(name: N, row: TableRow<N>) => void

/** Derives the rows. */
export function deriveRows(order: DerivedRows, add: Add): void {
  if (order.table === 'bars') for (const row of barRows(order)) add('bars', row)
  else for (const row of crowdLiquidationRows(order)) add('liquidation', row)
}
