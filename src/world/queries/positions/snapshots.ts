/** Snapshots of a position, as account states show it (shapes 1.10). */
import type { Moment } from '../../../contract/facts.ts'
import type { PositionSnapshot } from '../../../contract/records/position-life.ts'
import { format, share } from '../../../decimal/scaled.ts'
import { szText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { type Account, accountOf } from '../account.ts'
import { writePosition } from '../position-text.ts'
import { PurseReader } from '../purse.ts'
import { tradersOf } from '../traders.ts'
import { type Life, partsOf } from './life.ts'

/** Snapshots at most; of more changes, some evenly spread ones are shown. */
const MOST = 100

/** After each change, and as it stands now while it is open; oldest first. */
export function snapshotsOf(world: World, moment: Moment, life: Life): PositionSnapshot[] {
  const untilMs = life.closeMs === null ? moment.atMs : life.closeMs - 1
  const changes = new Set(partsOf(world, life, untilMs).map(({ timeMs }) => timeMs))
  if (life.closeMs === null) changes.add(moment.atMs)
  return spread([...changes]).flatMap((timeMs) => snapshotAt(world, moment, life, timeMs) ?? [])
}

function spread(instants: readonly number[]): number[] {
  if (instants.length <= MOST) return [...instants]
  const step = (instants.length - 1) / (MOST - 1)
  return Array.from({ length: MOST }, (_, n) => instants[Math.round(n * step)] as number)
}

function snapshotAt(
  world: World,
  { answers, shiftMs }: Moment,
  { trader, instrument, closeMs }: Life,
  timeMs: number,
): PositionSnapshot | null {
  const address = tradersOf(world).address(trader)
  const purse = new PurseReader(world, { atMs: timeMs, shiftMs }).read(address, instrument.dex)
  const account = purse && accountOf(purse)
  const position = account?.positions.find((one) => one.instrument === instrument)
  if (!account || !position) return null
  const written = writePosition(position, null)
  const isOpen = closeMs === null
  const isDocumented = answers['position-liquidation-name'] === 'liqPrice'
  const liquidation = isDocumented
    ? { liqPrice: written.liquidationPx }
    : { liquidationPx: written.liquidationPx }
  return {
    time: timeMs,
    size: szText(instrument, Math.abs(position.sz)),
    leverage: position.leverage,
    // The documented sample of a completed position has neither of the two.
    ...(isOpen ? { effLeverage: leverageOf(account) } : {}),
    entryPrice: written.entryPx,
    positionValue: written.positionValue,
    unrealizedPnl: written.unrealizedPnl,
    returnOnEquity: written.returnOnEquity,
    ...(isOpen || !isDocumented ? liquidation : {}),
    marginUsed: written.marginUsed,
    cumFunding: fundingOf(written),
  }
}

const fundingOf = ({ cumFunding }: ReturnType<typeof writePosition<null>>) => cumFunding.sinceOpen

/** Notional over value of the whole account; null when it is worth nothing. */
function leverageOf({ all }: Account): string | null {
  if (all.accountValue <= 0) return null
  return format(share(all.totalNtlPos, 10_000, all.accountValue), 4)
}
