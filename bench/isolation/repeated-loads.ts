/** Loads by the largest accepted input, and by refused input, repeatedly. */
import { type Load, type LoadClient, subscribeWidely } from './load.ts'

const name = 'load'
const SPAN_MS = 3_000

/** Repeats a task, several at a time, until the time is over. */
async function repeatedly(task: (turn: number) => Promise<unknown>, atATime = 1): Promise<void> {
  const endMs = performance.now() + SPAN_MS
  let turn = 0
  const lane = async () => {
    while (performance.now() < endMs) await task(turn++)
  }
  await Promise.all(Array.from({ length: atATime }, lane))
}

const many = <T>(length: number, one: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => one(at))

const makeSandbox = (client: LoadClient) => client.sandbox({ name, clock: 'held' })
const sandboxPath = (rest: string) => `/sandboxes/${name}${rest}`

const call = (client: LoadClient, method: string, path: string, body?: object | string) =>
  client.control(method, sandboxPath(path), body)

/** 500 rules with twenty coins each. */
const LARGEST = {
  title: 'as large as it may be',
  rules: many(500, () => ({
    on: { coin: many(20, (at) => ['BTC', 'ETH', 'SOL', 'HYPE'][at % 4]) },
    do: 'stale',
  })),
}

const REFUSED = { title: 'x', rules: many(500, () => ({ a: 1 })) }

/** A hundred successive events. */
const PLOT = {
  title: 'a hundred market events',
  rules: [],
  market: many(100, (at) => ({
    at: `${at * 60}s`,
    event: { kind: 'move', coin: 'BTC', pct: at % 2 ? -1 : 1, overS: 30 },
  })),
}

const BODY = JSON.stringify({ title: 'x'.repeat(60_000), rules: many(15_000, () => 1) })
const MEGABYTE = `${BODY.slice(0, -1)},"more":"${'y'.repeat((1 << 20) - BODY.length - 100)}"}`

export const REPEATED_LOADS: readonly Load[] = [
  {
    name: 'the largest scenario, again and again',
    prepare: makeSandbox,
    run: (client) => repeatedly(() => call(client, 'PUT', '/scenario', LARGEST)),
  },
  {
    name: 'a scenario that is refused, again and again',
    status: 400,
    prepare: makeSandbox,
    run: (client) => repeatedly(() => call(client, 'PUT', '/scenario', REFUSED)),
  },
  {
    name: 'a scenario with 100 market events, and a reset, again and again',
    prepare: makeSandbox,
    async run(client) {
      await repeatedly(async () => {
        await call(client, 'PUT', '/scenario', PLOT)
        await call(client, 'POST', '/reset')
      })
    },
  },
  {
    name: 'a market event and a reset, again and again',
    prepare: makeSandbox,
    async run(client) {
      const event = { kind: 'move', coin: 'BTC', pct: -5, overS: 60 }
      await repeatedly(async () => {
        await call(client, 'POST', '/market/events', event)
        await call(client, 'POST', '/reset')
      })
    },
  },
  {
    name: 'explaining the longest address, again and again',
    prepare: makeSandbox,
    run: (client) =>
      repeatedly(
        () =>
          client.control('POST', '/explain', {
            url: `/api/upgrade/v2/hl/tickers?SignatureNonce=${'n'.repeat(15_000)}`,
          }),
        4,
      ),
  },
  {
    name: 'taking a snapshot and putting it back, again and again',
    async prepare(client) {
      await makeSandbox(client)
      for (let made = 0; made < 200; made++)
        await client.accepted('POST', sandboxPath('/keys'), { kind: 'direct' })
    },
    async run(client) {
      await repeatedly(async () => {
        const text = await call(client, 'GET', '/snapshot')
        await call(client, 'PUT', '/snapshot', JSON.parse(text))
      })
    },
  },
  {
    name: 'eight live journals of 16 floods of reads',
    prepare: makeSandbox,
    async run(client) {
      const ending = new AbortController()
      const follow = async () => {
        const url = `http://127.0.0.1:${client.port}/_control/sandboxes/${name}/journal`
        const headers = { accept: 'text/event-stream' }
        const { body } = await fetch(url, { headers, signal: ending.signal })
        for await (const _ of body ?? []);
      }
      const following = many(8, () => follow().catch(() => {}))
      await repeatedly(() => call(client, 'GET', '/cast'), 16)
      ending.abort()
      await Promise.all(following)
    },
  },
  {
    name: 'a conformance run',
    prepare: (client) => client.sandbox({ name }),
    async run(client) {
      await client.control('POST', '/conformance', {})
      await Bun.sleep(SPAN_MS)
      await client.control('DELETE', '/conformance')
      while (JSON.parse(await client.control('GET', '/conformance')).state === 'running')
        await Bun.sleep(50)
    },
  },
  {
    name: 'seeks with subscribers, again and again',
    async prepare(client) {
      const key = await client.sandbox({ name })
      for (const one of await client.sockets(key, 5))
        subscribeWidely(one, ['BTC', 'ETH', 'SOL'], 33)
    },
    run: (client) =>
      repeatedly((turn) => call(client, 'PUT', '/playhead', { at: (turn * 7_919) % 1_200_000 })),
  },
  {
    name: '32 bodies of a megabyte at a time, refused, again and again',
    status: 400,
    prepare: makeSandbox,
    run: (client) => repeatedly(() => call(client, 'PUT', '/scenario', MEGABYTE), 32),
  },
]
