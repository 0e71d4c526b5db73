/** Snapshots of a position, as account states show it. */
import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { PositionSnapshot } from '../../../../contract/records/position-history.ts'
import { absolute, raw, ZERO } from '../../../../decimal/quantity.ts'
import { format, mulDiv } from '../../../../decimal/scaled.ts'
import { AccountStateReader } from '../../../rows/account-state.ts'
import { type AccountSummary, accountSummaryOf } from '../../../rows/account-summary.ts'
import { writePosition } from '../../../rows/account-text.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { szText } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { executionsOf, type PositionLife } from './position-life.ts'

/** Snapshots at most; of more changes, some evenly spread ones are shown. */
const SNAPSHOTS_MAX = 100

/** After each change, and as it is now while it is open; oldest first. */
export function positionSnapshots(
  world: World,
  moment: Moment,
  life: PositionLife,
): PositionSnapshot[] {
  const untilMs = life.closeMs === null ? moment.atMs : later(life.closeMs, -1)
  const changes = new Set(executionsOf(world, life, untilMs).map(({ timeMs }) => timeMs))
  if (life.closeMs === null) changes.add(moment.atMs)
  return evenlySpread([...changes]).flatMap(
    (timeMs) => snapshotAt(world, moment, life, timeMs) ?? [],
  )
}

function evenlySpread(instants: readonly TapeMs[]): TapeMs[] {
  if (instants.length <= SNAPSHOTS_MAX) return [...instants]
  const step = (instants.length - 1) / (SNAPSHOTS_MAX - 1)
  return Array.from({ length: SNAPSHOTS_MAX }, (_, n) => instants[Math.round(n * step)] as TapeMs)
}

function snapshotAt(
  world: World,
  { answers, shiftMs }: Moment,
  { trader, instrument, closeMs }: PositionLife,
  timeMs: TapeMs,
): PositionSnapshot | null {
  const address = tradersOf(world).address(trader)
  const accountState = new AccountStateReader(world, { atMs: timeMs, shiftMs }).read(
    address,
    instrument.dex,
  )
  const account = accountState && accountSummaryOf(accountState)
  const position = account?.positions.find((one) => one.instrument === instrument)
  if (!account || !position) return null
  const record = writePosition(position, null)
  const isOpen = closeMs === null
  const isDocumented = answers['position-liquidation-name'] === 'liqPrice'
  const liquidation = isDocumented
    ? { liqPrice: record.liquidationPx }
    : { liquidationPx: record.liquidationPx }
  return {
    time: timeMs,
    size: szText(instrument, absolute(position.sz)),
    leverage: position.leverage,
    // The documented sample of a completed position has neither of the two.
    ...(isOpen ? { effLeverage: accountLeverage(account) } : {}),
    entryPrice: record.entryPx,
    positionValue: record.positionValue,
    unrealizedPnl: record.unrealizedPnl,
    returnOnEquity: record.returnOnEquity,
    ...(isOpen || !isDocumented ? liquidation : {}),
    marginUsed: record.marginUsed,
    cumFunding: fundingSinceOpen(record),
  }
}

const fundingSinceOpen = ({ cumFunding }: ReturnType<typeof writePosition<null>>) =>
  cumFunding.sinceOpen

/** Notional over value of the whole account; null when it is worth nothing. */
function accountLeverage({ all }: AccountSummary): string | null {
  if (all.accountValue <= ZERO) return null
  return format(mulDiv(raw(all.totalNtlPos), 10_000, raw(all.accountValue)), 4)
}
