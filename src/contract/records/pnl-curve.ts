import { meant } from '../meaning.ts'
import { Address, Decimal, OneOf, type Static, TimeIso, TimeMs, Type } from '../schema.ts'

const exact = { additionalProperties: false }

/** Windows of a portfolio. */
export const CurveWindow = meant(
  'rangeLength',
  OneOf(['day', 'week', 'month', 'allTime'], 'how far back'),
  { 'x-length': 'window' },
)
export type CurveWindow = Static<typeof CurveWindow>

/** What a PnL is summed over: all sub-accounts, or those of perpetuals only. */
export const CurveScope = OneOf(['all', 'perp'], 'all sub-accounts, or those of perpetuals only')
export type CurveScope = Static<typeof CurveScope>

const CurvePoint = Type.Object(
  { time: TimeMs(), value: Decimal('USD') },
  { ...exact, title: 'CurvePoint' },
)

/** Curves of an account, oldest first, the present last. */
export const PortfolioCurve = Type.Object(
  {
    accountValue: Type.Array(CurvePoint, { description: 'net value of the account' }),
    pnl: Type.Array(CurvePoint, { description: 'PnL since the first point' }),
  },
  { ...exact, title: 'PortfolioCurve' },
)
export type PortfolioCurve = Static<typeof PortfolioCurve>

/** A point of a PnL curve, in the documented words. */
export const PnlPoint = Type.Object(
  { time: TimeMs(), pnl: Decimal('USD, cumulative') },
  { ...exact, title: 'PnlPoint' },
)

/** The same in the short words that were seen. */
export const ShortPnlPoint = Type.Object(
  { ts: TimeMs(), v: Decimal('USD, cumulative') },
  { ...exact, title: 'ShortPnlPoint' },
)

/** Oldest first, from 0; one form of point, by the question `pnl-point-names`. */
export const PnlCurve = Type.Union([Type.Array(PnlPoint), Type.Array(ShortPnlPoint)], {
  title: 'PnlCurve',
})
export type PnlCurve = Static<typeof PnlCurve>

/** The curve of one of several accounts. */
export const AddressPnls = Type.Object(
  { address: Address(), pnls: PnlCurve },
  { ...exact, title: 'AddressPnls' },
)
export type AddressPnls = Static<typeof AddressPnls>

const Extreme = Type.Object(
  { time: TimeIso(), value: Decimal('account value, USD') },
  { ...exact, title: 'DrawdownExtreme' },
)

/** The deepest fall of an account from the height of its PnL. */
export const Drawdown = Type.Object(
  {
    high: Extreme,
    low: Extreme,
    maxDrawdown: Decimal('part of what was there, a fraction'),
    netIn: Decimal('what came in less what went out, USD'),
  },
  { ...exact, title: 'Drawdown' },
)
export type Drawdown = Static<typeof Drawdown>

const capitalisedDrawdown = {
  Address: Address(),
  High: Extreme,
  Low: Extreme,
  MaxDrawdown: Decimal('part of what was there, a fraction'),
  NetIn: Decimal('what came in less what went out, USD'),
}

/** The same for one of several accounts, in capitalised words or in both. */
export const AddressDrawdown = Type.Union(
  [
    Type.Object(capitalisedDrawdown, exact),
    Type.Object({ ...capitalisedDrawdown, address: Address(), ...Drawdown.properties }, exact),
  ],
  { title: 'AddressDrawdown' },
)
export type AddressDrawdown = Static<typeof AddressDrawdown>

/** What came in less what went out. */
export const NetFlow = Type.Object(
  {
    netPerpIn: Decimal('into accounts of perpetuals, USD'),
    netSpotIn: Decimal('into the spot account, tokens at their value then, USD'),
  },
  { ...exact, title: 'NetFlow' },
)
export type NetFlow = Static<typeof NetFlow>

/** The same for one of several accounts. */
export const AddressNetFlow = Type.Object(
  { address: Address(), ...NetFlow.properties },
  { ...exact, title: 'AddressNetFlow' },
)
export type AddressNetFlow = Static<typeof AddressNetFlow>
