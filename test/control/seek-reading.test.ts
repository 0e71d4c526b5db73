import { expect, test } from 'bun:test'
import { signedQuery } from '../fixtures/signed-query.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

test('a seek with subscribers reads the data of its position before it moves', async () => {
  const { origin, control, registry } = await serve({ speed: 0 })
  const set = (body: object) => control('PUT', '/sandboxes/default/playhead', body)
  const { timeline } = (await registry.open()).world
  const prepared: number[] = []
  const prepare = timeline.prepare.bind(timeline)
  timeline.prepare = (index) => {
    prepared.push(index)
    return prepare(index)
  }
  await set({ at: 25_000 })
  expect(prepared).toEqual([])
  const client = connectSocket(origin, `${PREFIX}/hl/ws?${signedQuery({ accessKey: 'demo' })}`)
  await client.opened
  const subscription = { type: 'l2Book', coin: 'BTC' }
  client.socket.send(JSON.stringify({ method: 'subscribe', subscription }))
  await client.frames(2)
  await set({ at: 35_000 })
  await set({ speed: 2 })
  expect(prepared).toEqual([3])
})
