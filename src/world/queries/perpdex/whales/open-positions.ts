/** Open positions of whales with everything that is known of them. */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { WhaleQuery } from '../../../../contract/facts/perpdex/whales.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { WhalePosition } from '../../../../contract/records/whale.ts'
import { compare, negate, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { perWorld } from '../../../per-world.ts'
import { AccountStateReader } from '../../../rows/account-state.ts'
import {
  type AccountSummary,
  accountSummaryOf,
  type ValuedPosition,
} from '../../../rows/account-summary.ts'
import { columns } from '../../../rows/columns.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { fill, szText, usdText } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { type Whale, whalesAt } from './open-whales.ts'
import { entryText, liqText, modeOf } from './whale-event-records.ts'

/** Sorted as asked, the newest first among equals. */
export function* whalePositionsOf(
  world: World,
  moment: Moment,
  query: WhaleQuery,
): Slices<WhalePosition[]> {
  const { coin, dir, npnlSide, frSide, topBy, take } = query
  const chosen = whalesAt(world, moment.atMs).filter(
    ({ instrument, direction }) =>
      (coin === undefined || instrument.coin === coin) && (dir === undefined || direction === dir),
  )
  const held = yield* withPositions(world, moment, chosen)
  return held
    .filter(
      ({ position }) =>
        isOn(npnlSide, position.unrealised) && isOn(frSide, negate(position.funding.sinceOpen)),
    )
    .sort(
      (a, b) =>
        POSITION_ORDERS[topBy](a, b) || b.whale.openMs - a.whale.openMs || b.whale.id - a.whale.id,
    )
    .slice(0, take)
    .map((one) => positionRecord(world, moment, one))
}

interface WhaleWithPosition {
  whale: Whale
  position: ValuedPosition
}

type PositionOrder = (a: WhaleWithPosition, b: WhaleWithPosition) => number

const POSITION_ORDERS: Record<WhaleQuery['topBy'], PositionOrder> = {
  'create-time': (a, b) => b.whale.openMs - a.whale.openMs,
  'position-value': (a, b) => compare(b.whale.value, a.whale.value),
  'margin-balance': (a, b) => compare(b.position.marginUsed, a.position.marginUsed),
  profit: (a, b) => compare(b.position.unrealised, a.position.unrealised),
  loss: (a, b) => compare(a.position.unrealised, b.position.unrealised),
}

function isOn(side: 'profit' | 'loss' | undefined, gain: Usd): boolean {
  return side === undefined || (side === 'profit' ? gain > ZERO : gain < ZERO)
}

/** With the position as the account state has it; each account is read once. */
function* withPositions(
  world: World,
  moment: Moment,
  whales: readonly Whale[],
): Slices<WhaleWithPosition[]> {
  const accountStates = new AccountStateReader(world, moment)
  const accounts = new Map<string, AccountSummary>()
  const accountAt = (address: string, dex: string) => {
    const key = `${address}/${dex}`
    const account =
      accounts.get(key) ??
      accountSummaryOf(accountStates.read(address, dex) ?? { cash: ZERO, holdings: [] })
    accounts.set(key, account)
    return account
  }
  const found: WhaleWithPosition[] = []
  for (const whale of whales) {
    yield
    const { trader, instrument } = whale
    const { positions } = accountAt(tradersOf(world).address(trader), instrument.dex)
    const position = positions.find((one) => one.instrument === instrument)
    if (position) found.push({ whale, position })
  }
  return found
}

function positionRecord(
  world: World,
  moment: Moment,
  { whale, position }: WhaleWithPosition,
): WhalePosition {
  const { instrument: of, trader, openMs } = whale
  const isPaid = moment.answers['whale-funding-sign'] === 'paid'
  const paid = position.funding.sinceOpen
  const updated = lastFill(world).get(trader, of.id, moment.atMs)
  return {
    user: tradersOf(world).address(trader),
    symbol: of.coin,
    positionSize: szText(of, position.sz),
    entryPrice: entryText(of, position),
    liqPrice: liqText(of, position),
    leverage: position.leverage,
    marginBalance: usdText(position.marginUsed),
    positionValueUsd: usdText(position.value),
    unrealizedPnL: usdText(position.unrealised),
    fundingFee: usdText(isPaid ? paid : negate(paid)),
    marginMode: modeOf(whale),
    createTime: openMs,
    updateTime: updated?.timeMs ?? openMs,
  }
}

const FILL_TIMES = columns({ timeMs: fill.timeMs })

const lastFill = perWorld(({ db }) =>
  FILL_TIMES.prepare<[trader: number, instrument: number, atMs: TapeMs]>(
    db,
    `from fill where trader = ? and instrument = ? and timeMs <= ?
     order by timeMs desc limit 1`,
  ),
)
