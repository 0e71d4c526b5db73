/** What the control plane can be asked for. */
import {
  coinsOf,
  type Load,
  type LoadClient,
  received,
  subscribe,
  subscribeWidely,
} from './load.ts'

const SANDBOXES = 5_000
const name = 'load'

/** A call that may name its bound: then it is made once more with the largest that is allowed. */
async function runUntil(client: LoadClient, until: string, withinMs: number): Promise<void> {
  const run = (ms: number) =>
    client.control('POST', `/sandboxes/${name}/playhead/run`, { until, withinMs: ms })
  const { status, text } = await run(withinMs)
  const [largest] = (text.match(/\d+/g) ?? []).map(Number).filter((one) => one > 1_000)
  if (status === 400 && text.includes('withinMs') && largest) await run(largest)
}

const parentheses = (count: number) => `${'('.repeat(count)}px < 0${')'.repeat(count)}`

export const CONTROL_LOADS: readonly Load[] = [
  {
    name: 'run until what never comes',
    prepare: (client) => client.sandbox({ name, clock: 'held' }),
    run: (client) => runUntil(client, 'px < 0', 1e13),
  },
  {
    name: 'run until, 490 parentheses',
    prepare: (client) => client.sandbox({ name, clock: 'held' }),
    run: (client) => runUntil(client, parentheses(490), 86_400_000),
  },
  {
    name: 'run until, 30 parentheses',
    prepare: (client) => client.sandbox({ name, clock: 'held' }),
    run: (client) => runUntil(client, parentheses(30), 86_400_000),
  },
  {
    name: 'a sandbox with a new seed',
    run: (client) => client.sandbox({ name, seed: 4711 }),
  },
  {
    name: 'advance of 20 minutes with subscribers',
    async prepare(client) {
      const key = await client.sandbox({ name, clock: 'held' })
      const coins = await coinsOf(client, name)
      for (const one of await client.sockets(key, 5)) subscribeWidely(one, coins, 33)
    },
    run: (client) =>
      client.control('POST', `/sandboxes/${name}/clock/advance`, { ms: 20 * 60_000 }),
  },
  {
    name: `a list of ${SANDBOXES} sandboxes`,
    async prepare(client) {
      for (let made = 0; made < SANDBOXES; made += 50)
        await Promise.all(
          Array.from({ length: 50 }, () => client.control('POST', '/sandboxes', { clock: 'held' })),
        )
    },
    async run(client) {
      for (let turn = 0; turn < 5; turn++) await client.control('GET', '/sandboxes')
    },
  },
  {
    name: 'reading a full journal, and a snapshot of 500 keys',
    async prepare(client) {
      const key = await client.sandbox({ name })
      for (let made = 0; made < 500; made++)
        await client.control('POST', `/sandboxes/${name}/keys`, { kind: 'direct' })
      const body = { addresses: client.addresses.slice(0, 100) }
      for (let sent = 0; sent < 2_000; sent++)
        await client.post(key, '/hl/traders/spot-clearinghouse-state', body)
    },
    async run(client) {
      for (let turn = 0; turn < 10; turn++) {
        await client.control('GET', `/sandboxes/${name}/journal?limit=2000`)
        await client.control('GET', `/sandboxes/${name}/journal/count?path=/nothing`)
        await client.control('GET', `/sandboxes/${name}/snapshot`)
      }
    },
  },
  {
    name: 'resetting and dropping 20 busy sandboxes',
    async prepare(client) {
      for (let made = 0; made < 20; made++) {
        const key = await client.sandbox({ name: `busy-${made}`, speed: 20 })
        for (const one of await client.sockets(key, 50))
          subscribe(one, { type: 'l2Book', coin: 'BTC' })
      }
    },
    async run(client) {
      for (let made = 0; made < 20; made++) {
        await client.control('POST', `/sandboxes/busy-${made}/reset`)
        await client.control('DELETE', `/sandboxes/busy-${made}`)
      }
    },
  },
  {
    name: 'pushes a hundredfold and a disconnection, 500 sockets',
    async prepare(client) {
      const key = await client.sandbox({ name, speed: 10 })
      const sockets = await client.sockets(key, 500)
      for (const one of sockets) subscribe(one, { type: 'bbo', coin: 'BTC' })
      await received(sockets, 1)
    },
    async run(client) {
      const rules = [{ on: { channel: '*' }, do: { repeat: { times: 100 } } }]
      const path = `/sandboxes/${name}/scenario`
      await client.control('PUT', path, { rules })
      await Bun.sleep(1_000)
      await client.control('PUT', path, { rules: [{ do: { disconnect: { code: 1012 } } }] })
    },
  },
]
