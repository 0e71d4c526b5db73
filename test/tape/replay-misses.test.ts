/** Requests and subscriptions that a recording does not have. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import { type Route, routeOf } from '../../src/sandbox/pipeline/operation-call.ts'
import { handleRequest } from '../../src/sandbox/pipeline/pipeline.ts'
import { sandboxStateOf } from '../../src/sandbox/snapshot/state-parts.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { replayOptions } from '../../src/server/commands/serve/start-up-text.ts'
import { Redaction } from '../../src/tape/recorder/redaction/redaction.ts'
import { upstreamAt } from '../../src/tape/replay/upstream.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import {
  opened,
  P,
  recordSession,
  replaying,
  replaySettings,
} from '../fixtures/replayed-session.ts'
import { EVENTS_OF_EVERY_KIND, userErrorOf, writeTape } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import type { RecordedTransport } from '../fixtures/traffic-writer.ts'

const inFolder = temporaryFolder()
const recording = inFolder('session.tape.ndjson')
let original: RecordedTransport

beforeAll(async () => {
  original = await recordSession(recording)
})

const recordedMaker = () =>
  /fills\/(0x[0-9a-f]{40})/.exec(
    original.events.map(({ data }) => JSON.stringify(data)).join(),
  )?.[1]

test('an unrecorded request is refused with the nearest, field by field', async () => {
  const { ask, lastEntry } = await replaying(recording, { miss: 'refuse' })
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

test('or answered by the world, and the journal has the reason', async () => {
  const { ask, lastEntry } = await replaying(recording, {})
  expect(ask('GET', '/whales/directions')).toMatchObject({ status: 200, msg: 'success' })
  expect((lastEntry() as { subject: string }).subject).toContain(
    'no recorded operation "perpdex.whaleDirections"',
  )
})

test('unrecorded subscriptions are refused or served by the world', async () => {
  const subscription = { type: 'bbo', coin: 'BTC' }
  for (const miss of ['refuse', 'world'] as const) {
    const { traffic, signed } = await replaying(recording, { miss })
    const socket = traffic.connect(`${P}/ws?${signed()}`)
    socket.send(JSON.stringify({ method: 'subscribe', subscription }))
    const channels = socket.frames.map((frame) => JSON.parse(frame).channel)
    expect(channels).toEqual(miss === 'refuse' ? ['error'] : ['subscriptionResponse', 'bbo'])
  }
})

describe('an unrecorded request is forwarded to the service', () => {
  const requested: string[] = []
  const scheduled: string[] = []
  const service = Bun.serve({
    port: 0,
    websocket: {
      message(socket, text) {
        scheduled.push(String(text))
        const { method, subscription } = JSON.parse(String(text))
        if (method !== 'subscribe') return void socket.send('{"channel":"pong"}')
        const data = { method, subscription }
        socket.send(JSON.stringify({ channel: 'subscriptionResponse', data }))
        const push = (price: string) =>
          socket.send(JSON.stringify({ channel: 'bbo', data: { coin: 'FAR', price } }))
        if (subscription.coin === 'FAR') for (const price of ['7', '8']) push(price)
        else socket.close(4001, 'no such coin')
      },
    },
    async fetch(request, server) {
      if (server.upgrade(request, { data: undefined })) return undefined
      requested.push(`${request.method} ${request.url} ${await request.text()}`)
      return Response.json({ code: '0', msg: 'success', data: { longCount: 7, shortCount: 8 } })
    },
  })
  afterAll(() => service.stop(true))

  const before = (url: string) => {
    const signing = (target: string) => `${target.replace(/\?.*/, '')}?signed=yes`
    const upstream = upstreamAt(url, signing)
    const provider = worldProvider({ ...replaySettings(recording), upstream })
    return opened(provider, { replay: recording, miss: 'upstream' })
  }

  /** A client's first frames of a coin's best prices. */
  async function pushes(coin: string, count: number) {
    const { registry, traffic, signed } = await before(`http://127.0.0.1:${service.port}/base`)
    const { promise, resolve } = Promise.withResolvers<void>()
    const socket = traffic.connect(`${P}/ws?${signed()}`)
    const push = socket.frames.push
    socket.frames.push = (...texts: string[]) => {
      const length = push(...texts)
      if (length >= count) resolve()
      return length
    }
    const subscription = { type: 'bbo', coin }
    socket.send(JSON.stringify({ method: 'subscribe', subscription }))
    await promise
    const late = traffic.connect(`${P}/ws?${signed()}`)
    late.send(JSON.stringify({ method: 'subscribe', subscription }))
    registry.close()
    return [socket.frames, late.frames].map((frames) => frames.map((frame) => JSON.parse(frame)))
  }

  test('a subscription too, with live pushes and our own acknowledgement', async () => {
    const [frames, late] = await pushes('FAR', 3)
    expect(frames?.map(({ channel, data }) => data.price ?? channel)).toEqual([
      'subscriptionResponse',
      '7',
      '8',
    ])
    expect(late?.map(({ channel, data }) => data.price ?? channel)).toEqual([
      'subscriptionResponse',
      '8',
    ])
    expect(scheduled[0]).toBe('{"method":"subscribe","subscription":{"type":"bbo","coin":"FAR"}}')
  })

  test('the subscriber is notified when the service ends it', async () => {
    const [frames] = await pushes('GONE', 2)
    const data = 'no pushes from upstream: it closed with 4001, no such coin'
    expect(frames?.at(-1)).toEqual({ channel: 'error', data })
  })

  async function answer(url: string) {
    const { registry, signed } = await before(url)
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

  test('signed again, and its response is returned', async () => {
    const { data } = await answer(`http://127.0.0.1:${service.port}/base/`)
    expect(data).toEqual({ longCount: 7, shortCount: 8 })
    const url = `http://127.0.0.1:${service.port}/base${P}/whales/directions?signed=yes`
    expect(requested).toEqual([`GET ${url} `])
  })

  test('an unreachable service is a 502', async () => {
    const { status, msg } = await answer('http://127.0.0.1:1')
    expect(status).toBe(502)
    expect(msg).toStartWith('no answer upstream: ')
  })
})

test('flags with requirements name them', () => {
  const flags = { replay: undefined, miss: 'world', upstream: undefined, signWith: undefined }
  const wrong = (more: object) => () => replayOptions({ ...flags, ...more } as never)
  expect(wrong({ miss: 'refuse' })).toThrow('--miss and --upstream need --replay RECORDING')
  expect(wrong({ replay: 'a', miss: 'upstream' })).toThrow('--miss upstream needs --upstream URL')
  expect(wrong({ replay: 'a', signWith: 'k:s' })).toThrow('--sign-with needs --upstream URL')
})

test('a recording without contract traffic is refused', async () => {
  const empty = inFolder('empty.tape.ndjson')
  await writeTape(empty, EVENTS_OF_EVERY_KIND.slice(0, 3))
  const provider = worldProvider({ ...replaySettings(recording), replay: empty })
  const message = await userErrorOf(() => provider({ replay: empty }))
  expect(message).toContain('has no exchange and no frame of the contract to be replayed')
})

test('a copy of a sandbox serves the same recording', async () => {
  const { registry, sandbox } = await replaying(recording, { miss: 'refuse' })
  const copy = await registry.copy(sandboxStateOf(sandbox), { name: 'copy' })
  expect(copy.config.miss).toBe('refuse')
  expect(copy.world.recording).toBe(sandbox.world.recording)
})

test('identical fixed times are the same request, wherever the tape is in time', async () => {
  const har = path.join(PROJECT_FOLDER, 'test/fixtures/imports/replay_fixed_times.har')
  const fixed = inFolder('fixed.tape.ndjson')
  await importTape([har], fixed, { secrets: new Redaction({}) })
  for (const epoch of ['tape', 'live'] as const) {
    const provider = worldProvider(replaySettings(fixed))
    const { traffic } = await opened(provider, {
      replay: fixed,
      miss: 'refuse',
      profile: 'raw',
      epoch,
    })
    const ask = (startTime: number) => {
      const body = JSON.stringify({ type: 'fundingHistory', coin: 'BTC', startTime })
      return traffic.request('POST', '/info', body)
    }
    expect(ask(1764800000000)).toMatchObject({ status: 200 })
    const other = ask(1764500000000)
    expect(other.status).toBe(404)
    expect(other.body).toContain(': startTime is 1764800000000 there and 1764500000000 here')
  }
  const { ask } = await replaying(fixed, { miss: 'refuse' })
  expect(ask('POST', '/info', { type: 'allMids' }).msg).toBe(
    'not recorded: perpdex.info/allMids; there is venue.info/allMids, which a sandbox of profile ' +
      '"raw" answers',
  )
})
