/** Loads on the control plane. */

import {
  CONDITION_COMPARISONS_MAX,
  CONDITION_DEPTH_MAX,
} from '../../src/sandbox/event-condition.ts'
import { SEARCH_MAX_MS } from '../../src/server/control/operations/playhead.ts'
import { HttpConnection } from '../measure/http-connection.ts'
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

const runUntil = (client: LoadClient, until: string) =>
  client.control('POST', `/sandboxes/${name}/playhead/run`, { until, withinMs: SEARCH_MAX_MS })

const within = (depth: number, text: string) => `${'('.repeat(depth)}${text}${')'.repeat(depth)}`

/** Never true, with maximum depth and length. */
const LONGEST = within(
  CONDITION_DEPTH_MAX,
  Array(CONDITION_COMPARISONS_MAX).fill('px < 0').join(' or '),
)

export const CONTROL_LOADS: readonly Load[] = [
  {
    name: 'run until what never comes',
    status: 400,
    prepare: (client) => client.sandbox({ name, clock: 'held' }),
    run: (client) => runUntil(client, 'px < 0'),
  },
  {
    name: 'run until, 490 parentheses: refused',
    status: 400,
    prepare: (client) => client.sandbox({ name, clock: 'held' }),
    run: (client) => runUntil(client, within(490, 'px < 0')),
  },
  {
    name: 'run until, the longest condition there may be',
    status: 400,
    prepare: (client) => client.sandbox({ name, clock: 'held' }),
    run: (client) => runUntil(client, LONGEST),
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
    name: `a list of ${SANDBOXES} sandboxes, in pages`,
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
    name: 'reading a full journal, and a snapshot of 100 keys',
    async prepare(client) {
      const key = await client.sandbox({ name })
      for (let made = 0; made < 100; made++)
        await client.control('POST', `/sandboxes/${name}/keys`, { kind: 'direct' })
      const connection = await new HttpConnection(client.port).open()
      for (let sent = 0; sent < 2_500; sent++)
        await connection.get(`${client.signed(key, '/hl/tickers')}&long=${'x'.repeat(1_800)}`)
      connection.close()
    },
    async run(client) {
      for (let turn = 0; turn < 10; turn++) {
        await client.control('GET', `/sandboxes/${name}/journal?limit=1000`)
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
      const repeats = {
        title: 'a hundredfold',
        rules: [{ on: { channel: '*' }, do: { repeat: { times: 100 } } }],
      }
      const path = `/sandboxes/${name}/scenario`
      await client.control('PUT', path, repeats)
      await Bun.sleep(1_000)
      await client.control('PUT', path, {
        title: 'a disconnection',
        rules: [{ do: { disconnect: { code: 1012 } } }],
      })
    },
  },
]
