import { Complaint } from '../../complaint.ts'
import { dice } from '../../random/dice.ts'
import { openings } from './doom.ts'
import { Forced } from './forced.ts'
import { History } from './history.ts'
import type { TapeEvent, TapeInput } from './input.ts'
import { listing } from './listing.ts'
import { Market } from './market.ts'
import { gridBefore, HISTORY_MS, pathsBefore } from './path.ts'
import { Playing } from './playing.ts'
import { reading } from './reading.ts'
import type { Rows } from './rows.ts'
import { Stage } from './stage.ts'
import { type Survey, survey } from './survey.ts'

/** Part of a world's name: raised whenever the same tape and seed would give other rows. */
export const CASTING_VERSION = '9'

/**
 * Turns a tape and a seed into a world: 30 days of history grown backwards from the tape, then the
 * tape's whole course, as rows. Memory does not grow with the tape's length.
 *
 * A tape that cannot be cast (an unknown coin, a number with too many digits) is a Complaint.
 */
export async function cast(tape: TapeInput, seed: string, rows: Rows): Promise<void> {
  const found = await survey(tape)
  const { startMs, endMs } = tape.header
  const storyStartMs = startMs - HISTORY_MS
  const markets = marketsOf(tape, found, rows)
  const chance = dice(seed, 'world')
  const stage = new Stage(rows, markets, chance, storyStartMs, startMs)
  const grid = gridBefore(startMs)
  const priced = markets.filter((market) => market.px > 0)
  const paths = pathsBefore(priced, grid, startMs, chance.fork('paths'))
  const plan = openings(found.dooms, paths, grid, startMs, chance.fork('dooms'))
  const history = new History(stage, paths, chance.fork('history'))
  history.write(grid, startMs, plan)
  rows.index()
  const force = forcer(stage, found, history)
  const playing = new Playing(stage, force.begin, chance.fork('playing'), startMs)
  await playAll(tape, markets, playing, rows)
  playing.finish(endMs)
  force.finish()
  stage.finish()
  const facts = { source: tape.header.source, tapeDigest: tape.digest, seed, storyStartMs }
  writeMeta(rows, { ...facts, castingVersion: CASTING_VERSION, startMs, endMs })
  await rows.finish()
}

function marketsOf(tape: TapeInput, { markets }: Survey, rows: Rows): Market[] {
  const looks = tape.header.instruments.map(({ coin }) => {
    const look = markets.get(coin)
    if (!look) throw new Complaint(`the tape's header lists ${coin} twice: each coin once, please`)
    return look
  })
  return listing(tape.header.instruments, looks).map((row, place) => {
    rows.add('instrument', row)
    return new Market(row, looks[place] as (typeof looks)[number])
  })
}

async function playAll(
  tape: TapeInput,
  markets: Market[],
  playing: Playing,
  rows: Rows,
): Promise<void> {
  const byCoin = new Map(markets.map((market) => [market.row.coin, market]))
  for await (const batch of tape.events()) {
    for (const event of batch) {
      const market = byCoin.get(event.coin)
      if (!market && event.kind !== 'exchange' && event.kind !== 'frame') {
        const known = [...byCoin.keys()].join(', ')
        throw new Complaint(`tape event ${event.seq} names ${event.coin}; the header has ${known}`)
      }
      reading(event, () => playing.play(market, event))
    }
    await rows.keepUp()
  }
}

/** Makes forced closings, numbering them, each with the position that was prepared for it. */
function forcer(stage: Stage, { dooms }: Survey, history: History) {
  const planned = new Map(dooms.map((doom) => [`${doom.coin} ${doom.firstTid}`, doom]))
  const all: Forced[] = []
  const begin = (market: Market, event: TapeEvent & { kind: 'liquidation' }): Forced => {
    const doom = planned.get(`${market.row.coin} ${event.data.tids[0]}`)
    const trader = doom && history.doomed.get(doom)
    const held = trader && market.holdings.get(trader.id)
    const forced = new Forced(stage, market, all.length + 1, event.time, event.data, held)
    all.push(forced)
    return forced
  }
  const finish = () => {
    for (const forced of all) forced.finish()
  }
  return { begin, finish }
}

function writeMeta(rows: Rows, facts: Record<string, string | number>): void {
  for (const [key, value] of Object.entries(facts)) rows.add('meta', { key, value: String(value) })
  rows.add('meta', { key: 'counts', value: JSON.stringify(rows.counts) })
}
