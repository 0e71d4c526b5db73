/** The open connections in the control plane. */
import { expect, test } from 'bun:test'
import { control } from '../../src/clients/control/control.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

test('a connection shows its streams, its end, and that its book is stale', async () => {
  const { origin } = await serve({ clock: 'held' })
  const {
    connections,
    clock,
    await: settled,
    playhead,
    scenario,
  } = control(origin).sandbox('default')
  expect(await connections.list()).toEqual([])
  const query = signedQuery({ accessKey: 'demo' })
  const { socket, opened, frames } = connectSocket(origin, `${PREFIX}/hl/ws?${query}`)
  await opened
  socket.send('{"method":"subscribe","subscription":{"type":"l2Book","coin":"BTC"}}')
  await frames(2)
  await settled({ queued: 0 })
  const [first] = await connections.list()
  expect(first).toMatchObject({
    connection: 1,
    path: `${PREFIX}/hl/ws`.replace(PREFIX, ''),
    key: 'demo',
    queued: 0,
    discarded: 0,
    sent: 2,
    streams: [{ channel: 'l2Book', subscription: { coin: 'BTC' }, stale: false }],
  })
  expect((first?.closesMs ?? 0) - (first?.lastMessageMs ?? 0)).toBe(60_000)
  // A rule that marks fresh data counts too: the client sees the mark.
  await scenario.add({
    name: 'marked',
    title: 'Books are marked',
    rules: [{ on: { channel: 'l2Book' }, do: 'stale' }],
  })
  await clock.advance({ ms: 5_000 })
  expect((await connections.list())[0]?.streams).toMatchObject([{ stale: true }])
  await scenario.clear()
  expect((await connections.list())[0]?.streams).toMatchObject([{ stale: false }])
  await playhead.set({ speed: 0 })
  await clock.advance({ ms: 50_000 })
  const [later] = await connections.list()
  expect(later?.streams).toMatchObject([{ stale: true }])
  expect(later?.streams[0]?.sourceAgeMs).toBeGreaterThanOrEqual(50_000)
  await clock.advance({ ms: 5_000 })
  expect(await connections.list()).toEqual([])
})
