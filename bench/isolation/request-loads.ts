/** Loads by requests and sockets of one client: large ones, and very many. */
import { frameOf } from '../measure/frame-reader.ts'
import { HttpConnection } from '../measure/http-connection.ts'
import { type Load, type LoadClient, type OpenedSocket, received, subscribe } from './load.ts'

const name = 'load'
const BATCH = 2_000
const FLOOD_MS = 3_000

/** Set by `prepare` for `run`: a load runs once in a process. */
let key = { accessKey: '', secretKey: '' }
let sockets: OpenedSocket[] = []

async function makeSandbox(client: LoadClient): Promise<void> {
  key = await client.sandbox({ name })
}

async function makeSockets(client: LoadClient, count: number): Promise<void> {
  await makeSandbox(client)
  sockets = await client.sockets(key, count)
}

const addressesOf = (client: LoadClient) => ({ addresses: client.addresses.slice(0, BATCH) })

function batches(path: string): Load[] {
  const ask = (client: LoadClient) => client.post(key, path, addressesOf(client))
  const what = path.split('/').at(-1)
  return [
    { name: `${what} of ${BATCH} accounts, first`, prepare: makeSandbox, run: ask },
    {
      name: `${what} of ${BATCH} accounts, again`,
      async prepare(client) {
        await makeSandbox(client)
        await ask(client)
      },
      run: ask,
    },
  ]
}

async function floodReads(client: LoadClient): Promise<void> {
  const endMs = performance.now() + FLOOD_MS
  const flood = async () => {
    const connection = await new HttpConnection(client.port).open()
    while (performance.now() < endMs) {
      const status = await connection.get(client.signed(key, '/hl/tickers'))
      if (status !== 200) throw new Error(`a read was answered ${status}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: 16 }, flood))
}

async function floodFrames(): Promise<void> {
  const frames = ['subscribe', 'unsubscribe'].map((method) =>
    frameOf(JSON.stringify({ method, subscription: { type: 'l2Book', coin: 'BTC' } })),
  )
  const packet = Buffer.concat(Array.from({ length: 50 }, () => frames).flat())
  const endMs = performance.now() + FLOOD_MS
  while (performance.now() < endMs) {
    for (const { socket } of sockets) socket.write(packet)
    await Bun.sleep(1)
  }
}

export const REQUEST_LOADS: readonly Load[] = [
  ...batches('/hl/traders/clearinghouse-state'),
  ...batches('/hl/traders/spot-clearinghouse-state'),
  ...batches('/hl/traders/batch-addr-stat'),
  {
    name: 'discover, first of a process',
    fresh: true,
    prepare: makeSandbox,
    run: (client) =>
      client.post(key, '/hl/traders/discover', {
        period: 30,
        filters: [{ field: 'winRate', op: '>', val: 0.5 }],
        loadTags: true,
      }),
  },
  {
    name: '4000 clients subscribing at once',
    prepare: (client) => makeSockets(client, 4_000),
    async run() {
      for (const one of sockets) subscribe(one, { type: 'l2Book', coin: 'BTC' })
      await received(sockets, 2)
    },
  },
  {
    name: '10000 sockets opening, one subscription each',
    prepare: makeSandbox,
    async run(client) {
      for (let opened = 0; opened < 10_000; opened += 250)
        for (const one of await client.sockets(key, 250))
          subscribe(one, { type: 'l2Book', coin: 'BTC' })
    },
  },
  { name: 'a flood of signed reads', prepare: makeSandbox, run: floodReads },
  {
    name: 'a flood of frames on 10 sockets',
    prepare: (client) => makeSockets(client, 10),
    run: floodFrames,
  },
]
