/** Loads by fast markets, read by many, by few, or by none. */
import {
  coinsOf,
  type Load,
  type LoadClient,
  received,
  subscribe,
  subscribeWidely,
} from './load.ts'

const name = 'load'
/** Playing time of a market while the bystander reads. */
const PLAY_MS = 3_000

const speedTo = (client: LoadClient, speed: number | 'max') =>
  client.control('PUT', `/sandboxes/${name}/playhead`, { speed })

/** Speeds up earlier subscriptions for some seconds. */
async function play(client: LoadClient, speed: number | 'max'): Promise<void> {
  await speedTo(client, speed)
  await Bun.sleep(PLAY_MS)
}

/** A socket with so many subscriptions. */
async function widelySubscribed(client: LoadClient, count: number) {
  const key = await client.sandbox({ name, end: 'loop' })
  const opened = await client.socket(key)
  subscribeWidely(opened, await coinsOf(client, name), count)
  await received([opened], count)
  return opened
}

export const PLAYING_LOADS: readonly Load[] = [
  {
    name: 'speed 10000, one l2Book subscriber',
    prepare: (client) => widelySubscribed(client, 1),
    run: (client) => play(client, 10_000),
  },
  {
    name: 'speed 1000, 33 subscriptions',
    prepare: (client) => widelySubscribed(client, 33),
    run: (client) => play(client, 1_000),
  },
  {
    name: 'speed 10000, 33 subscriptions',
    prepare: (client) => widelySubscribed(client, 33),
    run: (client) => play(client, 10_000),
  },
  {
    name: 'speed max, one reader',
    prepare: (client) => widelySubscribed(client, 33),
    run: (client) => play(client, 'max'),
  },
  {
    name: 'speed max, a reader that does not read',
    prepare: async (client) => (await widelySubscribed(client, 33)).socket.pause(),
    run: (client) => play(client, 'max'),
  },
  {
    name: 'speed 10000, a reader that does not read',
    prepare: async (client) => (await widelySubscribed(client, 33)).socket.pause(),
    run: (client) => play(client, 10_000),
  },
  {
    name: '200 subscribers at 50x',
    async prepare(client) {
      const key = await client.sandbox({ name, speed: 50 })
      const sockets = await client.sockets(key, 200)
      for (const one of sockets) subscribe(one, { type: 'l2Book', coin: 'BTC' })
      await received(sockets, 1)
    },
    run: () => Bun.sleep(PLAY_MS),
  },
  {
    name: 'seeking to and fro with 33 subscriptions',
    prepare: (client) => widelySubscribed(client, 33),
    async run(client) {
      for (let turn = 0; turn < 60; turn++)
        await client.control('PUT', `/sandboxes/${name}/playhead`, {
          at: (turn % 2) * 900_000 + turn * 1_000,
        })
    },
  },
]
