/** Recorded traffic becomes a market that answers like the recorded one. */
import { beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { RECORDED_ROUTES } from '../../src/sandbox/session/socket-upgrade.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { type NormaliseReport, normalise } from '../../src/tape/replay/market/normalisation.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { movedClock } from '../fixtures/moved-clock.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { EVENTS_OF_EVERY_KIND, userErrorOf, writeTape } from '../fixtures/sample-tape.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { recordedTransport } from '../fixtures/traffic-writer.ts'

const P = '/api/upgrade/v2/hl'
const DAY_MS = 86_400_000
const SECONDS = 40
const inFolder = temporaryFolder()
const files = { recording: inFolder('afternoon.tape.ndjson'), out: inFolder('market.tape.ndjson') }
const historyOut = inFolder('market.history.csv')
const coins = ['BTC', 'ETH']

const OPTIONS = {
  clock: 'held',
  epoch: 'tape',
  questions: { 'info-types': 'all' },
} as const

const PLACES = {
  recordings: path.join(PROJECT_FOLDER, 'recordings'),
  cacheDir: inFolder('worlds'),
  log: () => {},
}

type Answer = { data: never }
const dataOf = ({ body }: { body: string }) => (JSON.parse(body) as Answer).data

/** Requests to compare at the end of the recording. */
const QUESTIONS = [
  { type: 'l2Book', coin: 'BTC' },
  { type: 'recentTrades', coin: 'ETH' },
]

async function recordMarket() {
  const machine = movedClock()
  const { registry, sandbox } = await recordedRegistry(OPTIONS, machine.systemClock)
  const signed = () => signedQuery({ accessKey: 'demo' }, machine.systemClock)
  const traffic = recordedTransport(registry, sandbox)
  const info = (body: object) =>
    dataOf(traffic.request('POST', `${P}/info?${signed()}`, JSON.stringify(body)))
  const socket = traffic.connect(`${P}/ws?${signed()}`)
  for (const coin of coins)
    for (const type of ['trades', 'l2Book', 'bbo'])
      socket.send(JSON.stringify({ method: 'subscribe', subscription: { type, coin } }))
  const startTime = sandbox.position().atMs - 2 * DAY_MS
  info({ type: 'candleSnapshot', req: { coin: 'BTC', interval: '1h', startTime } })
  info({ type: 'meta' })
  traffic.request('GET', `/api/upgrade/v2/coin?${signed()}`)
  await sandbox.clock.advance(SECONDS * 1000)
  await machine.advance(SECONDS * 1000)
  const [{ users }] = info({ type: 'recentTrades', coin: 'BTC' }) as [{ users: string[] }]
  const [user] = users
  const fills = info({ type: 'userFills', user }) as { tid: number; time: number }[]
  const answers = QUESTIONS.map(info)
  await traffic.write(files.recording)
  return { said: answers, user, fills, startMs: sandbox.playhead.span.startMs }
}

/** A sandbox on the resulting tape. */
async function playMarket(at: number) {
  const named = { tape: files.out, seed: 1, history: [historyOut] }
  const provider = worldProvider({ ...PLACES, ...named })
  const { systemClock } = movedClock()
  const registry = new Registry(provider, ACTIVE_ACTIONS, { ...OPTIONS, at }, systemClock)
  await registry.open()
  const { request } = memoryTransport(registry)
  return (body: object) => {
    const query = signedQuery({ accessKey: 'demo' }, systemClock)
    return dataOf(request('POST', `${P}/info?${query}`, JSON.stringify(body)))
  }
}

let recorded: Awaited<ReturnType<typeof recordMarket>>
let report: NormaliseReport
let info: Awaited<ReturnType<typeof playMarket>>

beforeAll(async () => {
  recorded = await recordMarket()
  const order = { files: [files.recording], out: files.out, historyOut, coins }
  report = await normalise(order, RECORDED_ROUTES)
  info = await playMarket(report.header.endMs)
})

test('books and trades are those that were recorded', () => {
  expect(report.contradictions).toEqual([])
  expect(QUESTIONS.map(info)).toEqual(recorded.said)
})

test('the fills of a requested address are too', () => {
  const { user, fills, startMs } = recorded
  const own = fills.filter(({ time }) => time >= startMs).map(({ tid }) => tid)
  expect(own.length).toBeGreaterThan(0)
  const played = (info({ type: 'userFills', user }) as { tid: number }[]).map(({ tid }) => tid)
  expect(played.filter((tid) => own.includes(tid))).toEqual(own)
})

test('unrecorded requests are answered from the same market, the past from its candles', () => {
  const context = (info({ type: 'metaAndAssetCtxs' }) as [never, { markPx: string }[]])[1]
  expect(context).toHaveLength(coins.length)
  const lines = readFileSync(historyOut, 'utf8').trim().split('\n').slice(1)
  const [time, , high] = (lines[10] ?? '').split(',')
  const req = { coin: 'BTC', interval: '1h', startTime: Number(time), endTime: Number(time) }
  const [candle] = info({ type: 'candleSnapshot', req }) as { t: number; h: string }[]
  expect(candle?.t).toBe(Number(time))
  expect(Number(candle?.h)).toBe(Number(high))
})

test('recognised and skipped items are counted', () => {
  const counts = Object.fromEntries(report.recognised.map(({ what, count }) => [what, count]))
  expect(counts).toMatchObject({ 'info/candleSnapshot': 1, 'info/l2Book': 1, 'info/userFills': 1 })
  expect(counts['channel/trades']).toBeGreaterThan(10)
  expect(report.leftOut.map(({ what }) => what)).toContain('coin.list')
})

test('a recording is no tape to cast, and the message names the conversion', async () => {
  const worlds = worldProvider({ ...PLACES, tape: files.recording, seed: 1 })
  const message = await userErrorOf(() => worlds({}))
  expect(message).toContain('is recorded traffic (7 exchanges, ')
  expect(message).toContain(`tapewright tape normalise ${files.recording} --out `)
  const seconds = `${files.recording}.seconds`
  await writeTape(seconds, EVENTS_OF_EVERY_KIND)
  expect(await userErrorOf(() => worldProvider({ ...PLACES, tape: seconds, seed: 1 })({}))).toBe(
    `${seconds}: goes from 1000 to 1015, which is not between the years 2000 and 2100: ` +
      'times of a tape are milliseconds since 1970',
  )
})
