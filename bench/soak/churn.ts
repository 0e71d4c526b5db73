/** Actions of clients and tests, drawn from a seed. */
import type { RandomSource } from '../../src/random/random-source.ts'
import type { ChurnClient, ChurnedSandbox } from './churn-client.ts'

const SANDBOXES_MOST = 10
const SOCKETS_MOST = 8
const COINS = ['BTC', 'ETH', 'SOL', 'xyz:TSLA']
const SCENARIOS = ['flaky-sockets', 'rate-limited', 'reconnect-storm', 'stale-book', 'cut-short']

type Act = (client: ChurnClient, sandbox: ChurnedSandbox, random: RandomSource) => Promise<unknown>

const READS = [
  '/hl/tickers',
  '/hl/whales/latest-events',
  '/hl/open-interest/summary',
  '/hl/klines-with-taker-vol/BTC/1m?limit=200',
  '/hl/liquidations/history',
  '/distributor/quota',
  '/coin/config',
]

const at = ({ id }: ChurnedSandbox, path = '') => `/sandboxes/${id}${path}`

/** Each with its frequency. */
const ACTS: readonly Act[] = [
  ...Array<Act>(6).fill((client, sandbox, random) => client.read(sandbox, random.pick(READS))),
  (client, sandbox) => client.read(sandbox, '/hl/traders/discover', { pageSize: 5 }),
  ...Array<Act>(4).fill(connect),
  ...Array<Act>(3).fill(async (_, { sockets }) => {
    for (const socket of [...sockets].slice(0, 2)) socket.close()
  }),
  (_, { sockets }) => Promise.resolve([...sockets][0]?.terminate()),
  ...Array<Act>(2).fill((client, sandbox) => client.drop(sandbox)),
  (client, sandbox) => client.control('POST', at(sandbox, '/reset')),
  (client, sandbox, random) =>
    client.control('PUT', at(sandbox, '/playhead'), {
      at: random.between(0, 110_000),
      speed: random.pick([0, 1, 20, 200]),
    }),
  async (client, sandbox, random) => {
    if (sandbox.isHeld)
      await client.control('POST', at(sandbox, '/clock/advance'), { ms: random.between(1, 20_000) })
  },
  (client, sandbox) => client.control('POST', at(sandbox, '/playhead/step'), {}),
  (client, sandbox, random) => {
    sandbox.isFaulty = true
    return client.control('PUT', at(sandbox, '/scenario'), { name: random.pick(SCENARIOS) })
  },
  (client, sandbox) => client.control('DELETE', at(sandbox, '/scenario')),
  (client, sandbox) => client.control('GET', at(sandbox, '/journal?limit=200')),
  (client, sandbox) => client.control('DELETE', at(sandbox, '/journal')),
  (client, sandbox) => client.control('POST', at(sandbox, '/keys'), { kind: 'direct' }),
  (client, sandbox) => client.control('POST', at(sandbox, '/invites'), {}),
  (client, sandbox) => client.control('GET', at(sandbox, '/cast')),
  async (client, sandbox) => {
    const snapshot = await client.control('GET', at(sandbox, '/snapshot'))
    if (snapshot.format !== undefined)
      await client.control('PUT', at(sandbox, '/snapshot'), snapshot)
  },
  (client) => client.control('GET', '/sandboxes'),
  (client) => client.control('POST', '/explain', { url: '/api/upgrade/v2/hl/tickers' }),
]

/** Runs one action. */
export async function churn(client: ChurnClient, random: RandomSource): Promise<void> {
  const sandbox = client.some(random)
  const wantsMore = client.sandboxes.size < SANDBOXES_MOST && random.between(0, 9) === 0
  if (!sandbox || wantsMore) return client.make(optionsOf(random))
  await random.pick(ACTS)(client, sandbox, random)
}

function optionsOf(random: RandomSource): Record<string, unknown> {
  return {
    clock: random.pick(['held', 'running']),
    speed: random.pick([0, 1, 10, 100]),
    epoch: random.pick(['live', 'tape']),
    end: random.pick(['loop', 'hold']),
    ...(random.between(0, 5) === 0 ? { scenario: random.pick(SCENARIOS) } : {}),
  }
}

async function connect(client: ChurnClient, sandbox: ChurnedSandbox, random: RandomSource) {
  if (sandbox.sockets.size >= SOCKETS_MOST) return
  const coin = random.pick(COINS)
  const wanted = [
    { type: 'l2Book', coin },
    { type: 'bbo', coin },
    { type: 'trades', coin },
    { type: 'candle', coin, interval: '1m' },
  ]
  const frames = wanted.map((subscription) => ({ method: 'subscribe', subscription }))
  await client.connect(sandbox, '/hl/ws', frames)
}
