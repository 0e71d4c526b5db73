/** Sockets through msw behave like a server's. */
import { expect, test } from 'bun:test'
import { signed } from '../fixtures/fake-market.ts'
import { type connectSocket, PREFIX } from '../fixtures/test-server.ts'
import { threeWays } from './three-ways.ts'

const BOOK = { method: 'subscribe', subscription: { type: 'bbo', coin: 'BTC' } }
const path = () => `${PREFIX}/hl/ws?${signed()}`

/** Events of a socket, in order, until it is closed. */
function eventsOf({ socket }: ReturnType<typeof connectSocket>) {
  const events: string[] = []
  socket.addEventListener('open', () => events.push('open'))
  socket.addEventListener('message', ({ data }) => events.push(`message ${data}`))
  socket.addEventListener('close', ({ code, reason }) => events.push(`close ${code} ${reason}`))
  return events
}

test('a conversation is the same in each way', async () => {
  const { ways, connect, control } = await threeWays()
  const talks = ways.map((way) => connect(way, path()))
  for (const { socket, opened, frames } of talks) {
    expect(await opened).toBe(true)
    socket.send(JSON.stringify(BOOK))
    await frames(2)
  }
  await control('POST', '/sandboxes/default/clock/advance', { ms: 3_000 })
  const [served, ...others] = await Promise.all(talks.map(({ frames }) => frames(3)))
  expect(served).toHaveLength(3)
  for (const other of others) expect(other).toEqual(served ?? [])
})

test('a heartbeat is text, and bytes are refused as such, in the order of sending', async () => {
  const { ways, connect } = await threeWays()
  for (const way of ways) {
    const { socket, opened, frames } = connect(way, path())
    expect(await opened).toBe(true)
    socket.send(new Blob(['{"method":"ping"}']))
    socket.send(new TextEncoder().encode('{"method":"ping"}'))
    socket.send('{"method":"ping"}')
    expect([way, await frames(3)]).toEqual([way, [BYTES, BYTES, { channel: 'pong' }]])
    socket.close()
  }
})

const BYTES = { channel: 'error', data: 'send text frames, not binary ones' }

test('a refused socket is never open, and closed with 1006', async () => {
  const { ways, connect } = await threeWays()
  for (const refused of [`/hl/ws?${signed('demo-bare')}`, '/hl/ws', `/hl/none?${signed()}`])
    for (const way of ways) {
      const talk = connect(way, `${PREFIX}${refused}`)
      const events = eventsOf(talk)
      expect([way, await talk.opened]).toEqual([way, false])
      expect([way, await talk.closed]).toEqual([way, 1006])
      expect([way, events.filter((event) => !event.startsWith('close 1006'))]).toEqual([way, []])
    }
})

test.each([1006, 1012, 4001])(
  'a connection that the sandbox ends with %i shows the code',
  async (code) => {
    const { ways, connect, control } = await threeWays()
    const talks = ways.map((way) => connect(way, path()))
    const events = talks.map(eventsOf)
    for (const { opened } of talks) expect(await opened).toBe(true)
    const rules = [{ name: 'away', on: { channel: '*' }, do: { disconnect: { code } } }]
    await control('PUT', '/sandboxes/default/scenario', { title: 'away', rules })
    await control('POST', '/sandboxes/default/clock/advance', { ms: 1_000 })
    for (const { closed } of talks) expect(await closed).toBe(code)
    const [served, ...others] = events
    expect(served).toHaveLength(2)
    expect(others).toEqual([served, served] as string[][])
  },
)

test('a frame that was sent before a close comes before it', async () => {
  const { ways, connect } = await threeWays()
  for (const way of ways) {
    const talk = connect(way, `${PREFIX}/hl/ws/fills?${signed()}`)
    const events = eventsOf(talk)
    expect(await talk.opened).toBe(true)
    talk.socket.send('{"type":"ping"}')
    talk.socket.send('{"type":"close"}')
    expect(await talk.closed).toBe(1000)
    expect([way, events]).toEqual([
      way,
      ['open', 'message {"type":"pong"}', 'close 1000 closed on request'],
    ])
  }
})

test('a client that closes, even at once, leaves nothing behind', async () => {
  const { ways, connect, registry, control } = await threeWays()
  const connections = { connections: 0, timeoutMs: 60_000 }
  for (const way of ways) {
    const talk = connect(way, path())
    expect(await talk.opened).toBe(true)
    talk.socket.close(3001, 'enough')
    expect([way, await talk.closed]).toEqual([way, 3001])
    const early = connect(way, path())
    early.socket.close()
    await early.closed
    const left = await control('POST', '/sandboxes/default/await', connections)
    expect([way, left.status]).toEqual([way, 200])
  }
  expect(registry.list()).toHaveLength(1)
})
