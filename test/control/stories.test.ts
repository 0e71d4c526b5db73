/** Every included story is played against the market, without a browser, and holds what it says. */
import { expect, test } from 'bun:test'
import { control } from '../../src/clients/control/control.ts'
import { client } from '../../src/clients/service/client.ts'
import { hostClock } from '../../src/clock/system-clock.ts'
import {
  bestPrices,
  figureOf,
  isMet,
  type Measurable,
  readHistoryDays,
  type StoryCondition,
} from '../../src/pages/console/story/figures.ts'
import { SCENARIOS_FOLDER, STORIES_FOLDER } from '../../src/platform/environment.ts'
import { scenarioLibrary } from '../../src/sandbox/scenario/scenario-library.ts'
import { storyLibrary } from '../../src/sandbox/story/story-library.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { PREFIX, serveRegistry } from '../fixtures/test-server.ts'

const library = scenarioLibrary(SCENARIOS_FOLDER)
const { registry } = await recordedRegistry({}, hostClock)
Object.assign(registry, { library })
const { origin } = await serveRegistry(registry)
const plane = control(origin)
const { stories, flaws } = storyLibrary([STORIES_FOLDER], () => library.names())()

const STEP_MS = 1_000

type Key = { accessKey: string; secretKey: string }
type Pushes = Pick<Measurable, 'book' | 'tradeMs'>

/** The newest pushes of a coin on a socket of its own; `read` awaits all that have been queued. */
async function pushesOf(wsBaseUrl: string, key: Key, coin: string) {
  const newest: Pushes = { book: null, tradeMs: null }
  const socket = new WebSocket(`${wsBaseUrl}${PREFIX}/hl/ws?${signedQuery(key, hostClock)}`)
  let onPong = () => {}
  socket.onmessage = ({ data }) => {
    const { channel, data: pushed } = JSON.parse(data)
    if (channel === 'pong') onPong()
    if (channel === 'l2Book') newest.book = bestPrices(pushed)
    if (channel === 'trades') newest.tradeMs = pushed.at(-1)?.time ?? newest.tradeMs
  }
  await new Promise((open, fail) => Object.assign(socket, { onopen: open, onerror: fail }))
  for (const type of ['l2Book', 'trades'])
    socket.send(JSON.stringify({ method: 'subscribe', subscription: { type, coin } }))
  const read = async (): Promise<Pushes> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    onPong = resolve
    socket.send('{"method":"ping"}')
    await promise
    return newest
  }
  return { read, close: () => socket.close() }
}

/** `holds` once a condition holds, each second of market time; else its last figure. */
async function proved(
  coin: string,
  until: StoryCondition,
  measured: () => Promise<Measurable>,
  wait: () => Promise<unknown>,
): Promise<string> {
  let value: number | null = null
  for (let ms = 0; ms <= until.withinMs; ms += STEP_MS) {
    value = figureOf(await measured(), coin, until)
    if (value !== null && isMet(until, value)) return 'holds'
    await wait()
  }
  return `${until.figure} is ${value} after ${until.withinMs} ms`
}

test('all of them can be read', () => {
  expect(flaws).toEqual([])
  expect(stories.length).toBeGreaterThan(4)
})

test.each(stories)('$name', async ({ name, coin, steps }) => {
  // As the console does it; the clock moves where a viewer would wait.
  const { id, baseUrl, wsBaseUrl, keys } = await plane.sandboxes.create({ name, clock: 'held' })
  const account = client({ baseUrl, ...keys.full })
  const pushes = await pushesOf(wsBaseUrl, keys.full, coin)
  const historyDays = await readHistoryDays(account, coin)
  const measured = async () => ({
    events: (await plane.market.events(id)).events,
    ...(await pushes.read()),
    nowMs: (await plane.sandboxes.get(id)).playhead.shown,
    historyDays,
  })
  const advance = () => plane.clock.advance(id, { ms: STEP_MS })
  for (const { do: actions, until, waitMs, caption } of steps) {
    for (const { market, scenario, calm, speed } of actions) {
      if (calm) await plane.scenario.clear(id)
      if (scenario !== undefined) await plane.scenario.add(id, { name: scenario })
      if (speed !== undefined) await plane.playhead.set(id, { speed })
      if (market !== undefined) await plane.market.trigger(id, market as never)
    }
    if (until)
      expect([caption.en, await proved(coin, until, measured, advance)]).toEqual([
        caption.en,
        'holds',
      ])
    await plane.clock.advance(id, { ms: waitMs ?? STEP_MS })
    await pushes.read()
  }
  const { scenarios } = await plane.sandboxes.get(id)
  expect(scenarios).toEqual([])
  pushes.close()
  account.close()
  await plane.sandboxes.drop(id)
})
