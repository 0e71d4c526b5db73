/** What public clients of the perpetual venue send is answered, or the table says why it is not. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { nativeClients, UNANSWERED } from '../../src/contract/documents/native-clients.ts'
import { VENUE_INFO_TYPES } from '../../src/contract/info/index.ts'
import { VENUE_CHANNELS } from '../../src/contract/venue.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'
import CALLS from '../fixtures/native-client-calls.json'

const API = path.join(import.meta.dir, '../../node_modules/@nktkas/hyperliquid/esm/api')
const TYPES = new Set(VENUE_INFO_TYPES.map(({ type }) => type))
const IDS = new Set(VENUE_CHANNELS.map(({ id }) => id))

/** The `type` of every request that the installed package makes. */
function requested(group: 'info' | 'subscription'): string[] {
  const folder = path.join(API, group, '_methods')
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const names = files.flatMap((name) => {
    const text = readFileSync(path.join(folder, name), 'utf8')
    return [...text.matchAll(/\btype: v\.literal\("(\w+)"\)/g)].map(([, type]) => type as string)
  })
  return [...new Set(names)]
}

const missing = (names: readonly string[], known: ReadonlySet<string>) =>
  names.filter((name) => !known.has(name) && !(name in UNANSWERED))

test('all that the installed client asks and subscribes to is answered', () => {
  const [types, channels] = [requested('info'), requested('subscription')]
  expect(types.length).toBeGreaterThan(70)
  expect(channels.length).toBeGreaterThan(20)
  expect({ types: missing(types, TYPES), channels: missing(channels, IDS) }).toEqual({
    types: [],
    channels: [],
  })
})

test.each(Object.entries(CALLS))('so is all that %s sends', (_, { types, channels }) => {
  expect({ types: missing(types, TYPES), channels: missing(channels, IDS) }).toEqual({
    types: [],
    channels: [],
  })
})

test('what is not answered is refused in the form of the venue', async () => {
  const { request, connect } = memoryTransport(await fakeRegistry({ profile: 'raw' }))
  for (const type of Object.keys(UNANSWERED)) {
    expect(TYPES.has(type) || IDS.has(type)).toBe(false)
    expect(request('POST', '/info', JSON.stringify({ type })).status).toBe(422)
    const socket = connect('/ws')
    if (!('frames' in socket)) throw new Error('no socket')
    socket.send(JSON.stringify({ method: 'subscribe', subscription: { type } }))
    expect(JSON.parse(socket.frames.at(-1) ?? '').channel).toBe('error')
  }
})

test('the page has every type and every channel', () => {
  const page = nativeClients()
  for (const name of [...TYPES, ...IDS, ...Object.keys(UNANSWERED)])
    expect(page).toContain(`| \`${name}\` |`)
})
