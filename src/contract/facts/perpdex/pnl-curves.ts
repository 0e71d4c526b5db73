/** Queries about what accounts were worth and earned over time. */
import type {
  AddressDrawdown,
  AddressNetFlow,
  AddressPnls,
  CurveScope,
  CurveWindow,
  Drawdown,
  NetFlow,
  PnlCurve,
  PortfolioCurve,
} from '../../records/pnl-curve.ts'

/** Days back from now; 0 is all time. */
export type Days = number

export interface PnlCurvesFacts {
  /** Empty curves for an address that has done nothing yet. */
  portfolio(address: string, window: CurveWindow): PortfolioCurve
  /** Empty for an address that has done nothing yet. */
  pnls(address: string, days: Days, scope: CurveScope): PnlCurve
  batchPnls(addresses: string[], days: Days, scope: CurveScope): AddressPnls[]
  /** Of perpetual accounts. Zeros for an address that has done nothing yet. */
  drawdown(address: string, days: Days): Drawdown
  batchDrawdown(addresses: string[], days: Days): AddressDrawdown[]
  netFlow(address: string, days: Days): NetFlow
  batchNetFlow(addresses: string[], days: Days): AddressNetFlow[]
}
