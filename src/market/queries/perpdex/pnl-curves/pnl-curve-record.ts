/** Curves of PnL as they are written; the names of the fields are an open question. */
import type { Moment } from '../../../../contract/facts.ts'
import type { CurveScope, PnlCurve } from '../../../../contract/records/pnl-curve.ts'
import { usdText } from '../../../schema/schema.ts'
import type { World } from '../../../world/world.ts'
import { pnlCurve, pnlsOf } from './pnl-curve.ts'

/** Decimals that money of a curve keeps. */
export const CENTS = 2

/** The curve of a trader over days back from now. `list` is the form that `pnlList` has. */
export function pnlCurveRecord(
  world: World,
  moment: Moment,
  trader: number,
  of: { days: number; scope: CurveScope; form: 'endpoint' | 'list' },
): PnlCurve {
  const curve = pnlCurve(world, moment, trader, of.days)
  const texts = pnlsOf(curve, of.scope).map((pnl) => usdText(pnl, CENTS))
  const names = moment.answers['pnl-point-names']
  const isShort = names === 'short' || (names === 'documented' && of.form === 'list')
  return isShort
    ? texts.map((v, at) => ({ ts: curve.timeMs(at), v }))
    : texts.map((pnl, at) => ({ time: curve.timeMs(at), pnl }))
}
