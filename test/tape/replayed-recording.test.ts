/** A recording is served back as it is, paced by the playhead. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import { replayOptions } from '../../src/commands/serve/replay-options.ts'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { handleRequest } from '../../src/pipeline/pipeline.ts'
import { type Route, routeOf } from '../../src/pipeline/router.ts'
import { upstreamAt } from '../../src/replay/upstream.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-options.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { RECORDED_ROUTES } from '../../src/session/recorded-routes.ts'
import { movedClock } from '../fixtures/moved-clock.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { EVENTS_OF_EVERY_KIND, userErrorOf, writeTape } from '../fixtures/sample-tape.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { type RecordedTransport, recordedTransport } from '../fixtures/traffic-writer.ts'

const P = '/api/upgrade/v2/hl'
const inFolder = temporaryFolder()
const recording = inFolder('session.tape.ndjson')
const recordings = path.join(PROJECT_FOLDER, 'recordings')

const SETTINGS = {
  tape: 'default',
  seed: 1,
  replay: recording,
  routes: RECORDED_ROUTES,
  recordings,
  cacheDir: path.join(PROJECT_FOLDER, '.cache', 'worlds'),
  log: () => {},
}

const worlds = worldProvider(SETTINGS)

async function opened(options: SandboxOptions = {}, provider = worlds) {
  const machine = movedClock()
  const common = { clock: 'held', epoch: 'tape', ...options } as const
  const registry = new Registry(provider, ACTIVE_ACTIONS, common, machine.systemClock)
  const sandbox = await registry.open()
  const traffic = recordedTransport(registry, sandbox)
  const advance = async (ms: number) => {
    await sandbox.clock.advance(ms)
    await machine.advance(ms)
  }
  const signed = () => signedQuery({ accessKey: 'demo' }, machine.systemClock)
  return { registry, sandbox, traffic, advance, signed }
}

type Opened = Awaited<ReturnType<typeof opened>>

const WHALE = '0xbe8cfb0a84e89a7e8cfd4dbd2d3e4a7ffee0f4c1'

/** What a client does: the same each time. */
async function session({ traffic, advance, signed, sandbox }: Opened) {
  const info = (body: object) =>
    traffic.request('POST', `${P}/info?${signed()}`, JSON.stringify(body))
  const subscribe = (subscription: object) => JSON.stringify({ method: 'subscribe', subscription })
  const first = traffic.connect(`${P}/ws?${signed()}`)
  first.send(subscribe({ type: 'trades', coin: 'BTC' }))
  first.send(subscribe({ type: 'l2Book', coin: 'BTC' }))
  first.send(subscribe({ type: 'l2Book', coin: 'BTC', nSigFigs: 3 }))
  await advance(1500)
  first.send(subscribe({ type: 'candle', coin: 'ETH', interval: '1m' }))
  const user = (sandbox.world.cast(sandbox.facts().moment) as { addresses: { maker: string } })
    .addresses.maker
  const fills = traffic.connect(`${P}/ws/fills?${signed()}`)
  fills.send(JSON.stringify({ type: 'subscribe', address: [user, WHALE] }))
  info({ type: 'l2Book', coin: 'BTC' })
  traffic.request('GET', `${P}/tickers?${signed()}`)
  await advance(2500)
  info({ type: 'l2Book', coin: 'BTC' })
  traffic.request('GET', `${P}/fills/${user}?limit=5&${signed()}`)
  const addresses = JSON.stringify({ addresses: [user, WHALE] })
  traffic.request('POST', `${P}/traders/accounts?${signed()}`, addresses)
  await advance(2000)
  first.close()
  fills.close()
}

/** What was said, without what signs it. */
const saidIn = ({ events }: RecordedTransport) =>
  events.flatMap(({ time, kind, data }) => {
    if (kind === 'frame') return [[time, data.connection, data.direction, data.text]]
    return kind === 'exchange'
      ? [[time, data.url.replace(/\?.*/, ''), data.status, data.responseBody]]
      : []
  })

let original: RecordedTransport

beforeAll(async () => {
  const desk = await opened()
  await session(desk)
  original = desk.traffic
  await original.write(recording)
})

test('recorded, played and recorded again: the same frames and answers', async () => {
  const desk = await opened({ replay: recording, miss: 'refuse' })
  await session(desk)
  const [before, after] = [saidIn(original), saidIn(desk.traffic)]
  expect(before.length).toBeGreaterThan(40)
  expect(after).toEqual(before)
})

/** A sandbox that serves the recording back, and how it is asked. */
async function replaying(options: SandboxOptions) {
  const desk = await opened({ replay: recording, ...options })
  const ask = (method: string, target: string, body?: object) => {
    const query = `${target.includes('?') ? '&' : '?'}${desk.signed()}`
    const text = body && JSON.stringify(body)
    const { status, body: answer } = desk.traffic.request(method, `${P}${target}${query}`, text)
    return { status, ...(JSON.parse(answer) as { msg: string; data: never }) }
  }
  const lastEntry = () => [...desk.sandbox.journal.after(0)].at(-1)
  return { ...desk, ask, lastEntry }
}

const recordedMaker = () =>
  /fills\/(0x[0-9a-f]{40})/.exec(
    original.events.map(({ data }) => JSON.stringify(data)).join(),
  )?.[1]

const bookTime = ({ data }: { data: { time: number } }) => data.time

test('an answer is there from its time on; before the first one the first is given', async () => {
  const { ask, advance, sandbox } = await replaying({ miss: 'refuse' })
  const startMs = sandbox.playhead.span.startMs
  const book = () => bookTime(ask('POST', '/info', { type: 'l2Book', coin: 'BTC' })) - startMs
  const early = book()
  expect(early).toBeLessThanOrEqual(1500)
  await advance(3999)
  expect(book()).toBe(early)
  await advance(1)
  expect(book()).toBeGreaterThan(early)
})

test('defaults are filled in, and lists of names are sets', async () => {
  const { ask } = await replaying({ miss: 'refuse' })
  const maker = recordedMaker() as string
  expect(ask('GET', `/fills/${maker}?limit=5`).status).toBe(200)
  expect(ask('GET', `/fills/${maker.toUpperCase().replace('0X', '0x')}?limit=5`).status).toBe(200)
  const accounts = ask('POST', '/traders/accounts', { addresses: [WHALE, maker, WHALE] })
  expect(accounts).toMatchObject({ status: 200, data: [{ address: maker }, { address: WHALE }] })
})

test('what was not recorded is refused with the nearest, field by field', async () => {
  const { ask, lastEntry } = await replaying({ miss: 'refuse' })
  const maker = recordedMaker() as string
  const { status, msg } = ask('GET', `/fills/${maker}?limit=6`)
  expect(status).toBe(404)
  expect(msg).toStartWith('not recorded: perpdex.fillsOfAddress; the nearest is of 2026-')
  expect(msg).toEndWith(': limit is 5 there and 6 here')
  expect(lastEntry()).toMatchObject({ refused: 'notRecorded', subject: msg })
  expect(ask('GET', '/whales/directions').msg).toStartWith(
    'there is no recorded operation "perpdex.whaleDirections", there are: ',
  )
})

test('or it comes from the world, and the journal says why', async () => {
  const { ask, lastEntry } = await replaying({})
  expect(ask('GET', '/whales/directions')).toMatchObject({ status: 200, msg: 'success' })
  expect((lastEntry() as { subject: string }).subject).toContain(
    'no recorded operation "perpdex.whaleDirections"',
  )
})

test('times are shown as those of the sandbox are', async () => {
  const { ask, sandbox } = await replaying({
    miss: 'refuse',
    epoch: 'live',
    now: Date.UTC(2030, 0),
  })
  const time = bookTime(ask('POST', '/info', { type: 'l2Book', coin: 'BTC' }))
  const { shiftMs } = sandbox.position()
  expect(shiftMs).toBeGreaterThan(0)
  expect(time - shiftMs - sandbox.playhead.span.startMs).toBeLessThanOrEqual(1500)
})

test('subscriptions that were not recorded are refused or followed in the world', async () => {
  const subscription = { type: 'bbo', coin: 'BTC' }
  for (const miss of ['refuse', 'world'] as const) {
    const { traffic, signed } = await replaying({ miss })
    const socket = traffic.connect(`${P}/ws?${signed()}`)
    socket.send(JSON.stringify({ method: 'subscribe', subscription }))
    const channels = socket.frames.map((frame) => JSON.parse(frame).channel)
    expect(channels).toEqual(miss === 'refuse' ? ['error'] : ['subscriptionResponse', 'bbo'])
  }
})

describe('what was not recorded goes on to the service', () => {
  const asked: string[] = []
  const service = Bun.serve({
    port: 0,
    async fetch(request) {
      asked.push(`${request.method} ${request.url} ${await request.text()}`)
      return Response.json({ code: '0', msg: 'success', data: { longCount: 7, shortCount: 8 } })
    },
  })
  afterAll(() => service.stop(true))

  async function answer(url: string) {
    const signing = (target: string) => `${target.replace(/\?.*/, '')}?signed=yes`
    const provider = worldProvider({ ...SETTINGS, upstream: upstreamAt(url, signing) })
    const { registry, signed } = await opened({ replay: recording, miss: 'upstream' }, provider)
    const asking = `${P}/whales/directions`
    const route = routeOf('GET', asking) as Route
    const request = {
      method: 'GET',
      path: `/s/default${asking}`,
      params: {},
      query: signed(),
      body: '',
    }
    const { status, body } = await handleRequest(registry, route.operation, request)
    registry.close()
    return { status, ...JSON.parse(body) }
  }

  test('signed anew, and its answer comes back', async () => {
    const { data } = await answer(`http://127.0.0.1:${service.port}/base/`)
    expect(data).toEqual({ longCount: 7, shortCount: 8 })
    const url = `http://127.0.0.1:${service.port}/base${P}/whales/directions?signed=yes`
    expect(asked).toEqual([`GET ${url} `])
  })

  test('where nobody answers that is a 502', async () => {
    const { status, msg } = await answer('http://127.0.0.1:1')
    expect(status).toBe(502)
    expect(msg).toStartWith('no answer upstream: ')
  })
})

test('flags that need one another say so', () => {
  const flags = { replay: undefined, miss: 'world', upstream: undefined, signWith: undefined }
  const wrong = (more: object) => () => replayOptions({ ...flags, ...more } as never)
  expect(wrong({ miss: 'refuse' })).toThrow('--miss and --upstream go with --replay RECORDING')
  expect(wrong({ replay: 'a', miss: 'upstream' })).toThrow('--miss upstream needs --upstream URL')
  expect(wrong({ replay: 'a', signWith: 'k:s' })).toThrow('--sign-with needs --upstream URL')
})

test('a recording that has nothing of the contract is refused', async () => {
  const empty = inFolder('empty.tape.ndjson')
  await writeTape(empty, EVENTS_OF_EVERY_KIND.slice(0, 3))
  const provider = worldProvider({ ...SETTINGS, replay: empty })
  const message = await userErrorOf(() => provider({ replay: empty }))
  expect(message).toContain('has no exchange and no frame of the contract to be replayed')
})
