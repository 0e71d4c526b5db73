/** A recording is served back as it is, paced by the playhead. */
import { beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-options.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { RECORDED_ROUTES } from '../../src/session/recorded-routes.ts'
import { movedClock } from '../fixtures/moved-clock.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { type RecordedTransport, recordedTransport } from '../fixtures/traffic-writer.ts'

const P = '/api/upgrade/v2/hl'
const inFolder = temporaryFolder()
const recording = inFolder('session.tape.ndjson')
const recordings = path.join(PROJECT_FOLDER, 'recordings')

const worlds = worldProvider({
  tape: 'default',
  seed: 1,
  replay: recording,
  routes: RECORDED_ROUTES,
  recordings,
  cacheDir: path.join(PROJECT_FOLDER, '.cache', 'worlds'),
  log: () => {},
})

async function opened(options: SandboxOptions = {}) {
  const machine = movedClock()
  const common = { clock: 'held', epoch: 'tape', ...options } as const
  const registry = new Registry(worlds, ACTIVE_ACTIONS, common, machine.systemClock)
  const sandbox = await registry.open()
  const traffic = recordedTransport(registry, sandbox)
  const advance = async (ms: number) => {
    await sandbox.clock.advance(ms)
    await machine.advance(ms)
  }
  const signed = () => signedQuery({ accessKey: 'demo' }, machine.systemClock)
  return { sandbox, traffic, advance, signed }
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
