/** Open positions of whales with everything that is known of them. */
import type { WhaleQuery } from '../../../contract/facts/whales.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { WhalePosition } from '../../../contract/records/whale.ts'
import { szText, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { type Account, accountOf, type Position } from '../account.ts'
import { perWorld } from '../per-world.ts'
import { PurseReader } from '../purse.ts'
import { tradersOf } from '../traders.ts'
import { entryText, liqText, modeOf } from './event-text.ts'
import { type Whale, whalesAt } from './standing.ts'

/** Sorted as asked, the newest first among equals. */
export function openPositionsOf(world: World, moment: Moment, query: WhaleQuery): WhalePosition[] {
  const { coin, dir, npnlSide, frSide, topBy, take } = query
  const wanted = whalesAt(world, moment.atMs).filter(
    ({ instrument, direction }) =>
      (coin === undefined || instrument.coin === coin) && (dir === undefined || direction === dir),
  )
  return detailed(world, moment, wanted)
    .filter(
      ({ position }) =>
        isOn(npnlSide, position.unrealised) && isOn(frSide, -position.funding.sinceOpen),
    )
    .sort(
      (a, b) => ORDERS[topBy](a, b) || b.whale.openMs - a.whale.openMs || b.whale.id - a.whale.id,
    )
    .slice(0, take)
    .map((one) => written(world, moment, one))
}

interface Detailed {
  whale: Whale
  position: Position
}

type Order = (a: Detailed, b: Detailed) => number

const ORDERS: Record<WhaleQuery['topBy'], Order> = {
  'create-time': (a, b) => b.whale.openMs - a.whale.openMs,
  'position-value': (a, b) => b.whale.value - a.whale.value,
  'margin-balance': (a, b) => b.position.marginUsed - a.position.marginUsed,
  profit: (a, b) => b.position.unrealised - a.position.unrealised,
  loss: (a, b) => a.position.unrealised - b.position.unrealised,
}

function isOn(side: 'profit' | 'loss' | undefined, gain: number): boolean {
  return side === undefined || (side === 'profit' ? gain > 0 : gain < 0)
}

/** With the position as the account state has it; each account is read once. */
function detailed(world: World, moment: Moment, whales: readonly Whale[]): Detailed[] {
  const purses = new PurseReader(world, moment)
  const accounts = new Map<string, Account>()
  const accountAt = (address: string, dex: string) => {
    const key = `${address}/${dex}`
    const account =
      accounts.get(key) ?? accountOf(purses.read(address, dex) ?? { cash: 0, holdings: [] })
    accounts.set(key, account)
    return account
  }
  return whales.flatMap((whale) => {
    const { trader, instrument } = whale
    const { positions } = accountAt(tradersOf(world).address(trader), instrument.dex)
    const position = positions.find((one) => one.instrument === instrument)
    return position ? [{ whale, position }] : []
  })
}

function written(world: World, moment: Moment, { whale, position }: Detailed): WhalePosition {
  const { instrument: of, trader, openMs } = whale
  const isPaid = moment.answers['whale-funding-sign'] === 'paid'
  const paid = position.funding.sinceOpen
  const [updated] = lastFill(world).values(trader, of.id, moment.atMs) as [number][]
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
    // No minus sign before a zero.
    fundingFee: usdText((isPaid ? paid : -paid) + 0),
    marginMode: modeOf(whale),
    createTime: openMs,
    updateTime: updated?.[0] ?? openMs,
  }
}

const lastFill = perWorld(({ db }) =>
  db.prepare(
    `select timeMs from fill where trader = ? and instrument = ? and timeMs <= ?
     order by timeMs desc limit 1`,
  ),
)
