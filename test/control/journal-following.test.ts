/** The journal as the client of the control plane follows it. */
import { expect, test } from 'bun:test'
import { ControlError, control } from '../../src/clients/control/control.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { PREFIX, serve } from '../fixtures/test-server.ts'

async function served() {
  const { origin } = await serve({ clock: 'held' })
  const all = control(origin)
  const made = await all.sandboxes.create({ name: 'mine', clock: 'held' })
  return { origin, all, made, mine: all.sandbox('mine') }
}

test('the journal is followed from the call on, as it is filtered', async () => {
  const { origin, mine, made } = await served()
  const following = await mine.journal.follow({ kind: 'request', status: 401 })
  const url = `${origin}${PREFIX}/hl/tickers?`
  await fetch(url + signedQuery(made.keys.full))
  await fetch(url + signedQuery({ ...made.keys.full, secretKey: 'wrong' }))
  for await (const entry of following) {
    expect(entry).toMatchObject({ kind: 'request', status: 401, operation: 'perpdex.tickers' })
    break
  }
})

test('following ends with the sandbox, and is refused without one', async () => {
  const { all, mine } = await served()
  const following = await mine.journal.follow()
  await mine.drop()
  expect(await Array.fromAsync(following)).toEqual([])
  const error = await all.journal.follow('mine').catch((one: unknown) => one)
  expect(error).toBeInstanceOf(ControlError)
  expect(error).toMatchObject({ code: 'not-found' })
})

test('dropped entries are reported as a gap', async () => {
  const { origin, mine, made } = await served()
  await mine.journal.set({ bytes: 2_000 })
  const url = `${origin}${PREFIX}/hl/tickers?`
  for (let n = 0; n < 30; n++) await fetch(url + signedQuery(made.keys.full))
  const following = await mine.journal.follow({ since: 0 })
  const { value } = await following.next()
  expect(value).toEqual({ kind: 'dropped', count: expect.any(Number) })
  await following.return()
})
