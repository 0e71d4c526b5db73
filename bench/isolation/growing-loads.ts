/** Loads by markets that continue after their tape. */
import { coinsOf, type Load, type LoadClient, received, subscribeWidely } from './load.ts'

const name = 'load'
const SUBSCRIPTIONS = 33
/** Playing time of a market: first its file is created, then it grows ahead of the playhead. */
const PLAY_MS = 10_000
const HOUR_MS = 3_600_000

/** At the end of the tape, in a market not grown by another load. */
async function atTheEnd(client: LoadClient, options: Record<string, unknown>) {
  const key = await client.sandbox({ name, ...options })
  const text = await client.accepted('GET', `/sandboxes/${name}`)
  const { playhead } = JSON.parse(text)
  await client.control('PUT', `/sandboxes/${name}/playhead`, { at: playhead.stop - 1_000 })
  const opened = await client.socket(key)
  subscribeWidely(opened, await coinsOf(client, name), SUBSCRIPTIONS)
  await received([opened], SUBSCRIPTIONS)
}

export const GROWING_LOADS: readonly Load[] = [
  {
    name: 'a market past its tape at 200x',
    prepare: (client) => atTheEnd(client, { mood: 'calm', speed: 0 }),
    async run(client) {
      await client.control('PUT', `/sandboxes/${name}/playhead`, { speed: 200 })
      await Bun.sleep(PLAY_MS)
    },
  },
  {
    name: 'an hour of a market past its tape, by advancing',
    prepare: (client) => atTheEnd(client, { mood: 'chop', clock: 'held' }),
    run: (client) =>
      client.control('POST', `/sandboxes/${name}/clock/advance`, { ms: HOUR_MS, market: 'moves' }),
  },
]
