/** `createSandbox` on Bun: the server is in the process of the tests. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { ClientError } from '../../src/entries/client.ts'
import { ControlError, control } from '../../src/entries/control.ts'
import { createSandbox } from '../../src/index.ts'
import { CastRecord } from '../../src/server/control/operations/cast.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const INDEX = path.join(PROJECT_FOLDER, 'src', 'index.ts')

/** The reason of a rejected promise. */
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

test('a sandbox has addresses, keys, a clock, a control plane and a client', async () => {
  await using sandbox = await createSandbox({ name: 'mine', clock: 'held', seed: 1 })
  expect(sandbox.id).toBe('mine')
  expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/s\/mine$/)
  expect(sandbox.wsBaseUrl).toBe(sandbox.baseUrl.replace('http', 'ws'))
  expect(Object.keys(sandbox.keys)).toEqual(['full', 'partner', 'sub', 'bare'])
  expect(sandbox.inviteToken).toStartWith('mine-invite-')
  const startMs = await sandbox.clock.now()
  expect(await sandbox.clock.advance(90_000)).toBe(startMs + 90_000)
  expect(await sandbox.clock.advance('next-minute')).toBe(
    60_000 * (Math.floor((startMs + 90_000) / 60_000) + 1),
  )
  expect((await sandbox.control.get()).id).toBe('mine')
  expect((await sandbox.client().perpdex.tickers()).length).toBeGreaterThan(0)
})

test('the error of a refused call says why, and what to do', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  const { accessKey } = sandbox.keys.bare
  const error = (await errorOf(sandbox.client('bare').perpdex.tickers())) as ClientError
  const [first, ...why] = error.message.split('\n  ')
  expect(first).toBe('perpdex.tickers: 403 Permission denied: HL_TICKERS')
  expect(why[0]).toBe(`permission: key "${accessKey}" lacks HL_TICKERS`)
  expect(why[1]).toStartWith('what to do: use a key that has it')
})

test('its control plane explains requests to itself', async () => {
  await using sandbox = await createSandbox({ clock: 'held', name: 'own' })
  const path = '/api/upgrade/v2/hl/tickers'
  for (const url of [path, `${sandbox.baseUrl}${path}`, `http://service.example${path}`]) {
    const { answer, reason, sandbox: id } = await sandbox.control.explain({ url })
    expect([id, answer?.status, reason?.detail]).toEqual(['own', 401, 'AccessKeyId is missing'])
  }
})

test('the cast is as it is declared', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  const cast = await sandbox.control.cast()
  expect([...Value.Errors(CastRecord, cast)]).toEqual([])
  expect(Object.keys(cast)).toEqual(Object.keys(CastRecord.properties))
  expect(cast.coins).toContain('BTC')
})

test('a clock that runs can be held, and run again', async () => {
  await using sandbox = await createSandbox()
  const heldMs = await sandbox.clock.hold()
  expect(await sandbox.clock.now()).toBe(heldMs)
  await sandbox.clock.run()
  expect((await sandbox.control.get()).clock.state).toBe('running')
})

test('a client signs with the requested key', async () => {
  await using sandbox = await createSandbox()
  const refused = await errorOf(sandbox.client('bare').perpdex.tickers())
  expect(refused).toMatchObject({ kind: 'permission', permission: 'HL_TICKERS' })
  const key = await sandbox.control.keys.create({ kind: 'direct', permissions: ['HL_TICKERS'] })
  expect(await sandbox.client(key).perpdex.tickers()).toBeArray()
})

test('a socket of the client receives, and is closed with the sandbox', async () => {
  const sandbox = await createSandbox({ clock: 'held' })
  const lost: string[] = []
  const { promise: stale, resolve } = Promise.withResolvers<string>()
  const listener = sandbox
    .client('full', { onConnectionError: ({ message }) => lost.push(message) })
    .subscribe('l2Book', { coin: 'BTC' }, ({ coin }) => resolve(coin))
  await listener.ready
  expect(await stale).toBe('BTC')
  expect((await sandbox.control.await({ subscriptions: 1 })).connections).toBe(1)
  await sandbox.close()
  expect(lost).toEqual([])
})

test('many sandboxes at once share a server and nothing else', async () => {
  const count = 40
  const numbers = Array.from({ length: count }, (_, number) => number)
  const sandboxes = await Promise.all(numbers.map(() => createSandbox({ clock: 'held' })))
  expect(new Set(sandboxes.map(({ id }) => id)).size).toBe(count)
  expect(new Set(sandboxes.map(({ baseUrl }) => new URL(baseUrl).port)).size).toBe(1)
  const before = await Promise.all(sandboxes.map(({ clock }) => clock.now()))
  await Promise.all(
    sandboxes.map(async (sandbox, number) => {
      await sandbox.clock.advance(1_000 * number)
      for (let call = 0; call < number % 5; call++) await sandbox.client().perpdex.tickers()
    }),
  )
  const after = await Promise.all(sandboxes.map(({ clock }) => clock.now()))
  expect(after.map((nowMs, number) => nowMs - (before[number] ?? 0))).toEqual(
    numbers.map((number) => 1_000 * number),
  )
  const calls = await Promise.all(
    sandboxes.map(async ({ control: own }) => (await own.journal.count({ kind: 'request' })).count),
  )
  expect(calls).toEqual(numbers.map((number) => number % 5))
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
})

test('the server ends with its last sandbox, and another one starts with the next', async () => {
  const first = await createSandbox()
  const second = await createSandbox()
  const { origin } = new URL(first.baseUrl)
  await first.close()
  expect((await control(origin).health()).ready).toBe(true)
  await second.close()
  expect(await errorOf(control(origin).health())).toMatchObject({ code: 'unreachable' })
  await using third = await createSandbox()
  expect((await third.control.get()).id).toBe('s1')
})

test('closing twice is closing once, also at the same time', async () => {
  const sandbox = await createSandbox()
  await using other = await createSandbox()
  await Promise.all([sandbox.close(), sandbox.close()])
  await sandbox.close()
  expect((await other.control.get()).id).toBe(other.id)
})

test('a sandbox that was dropped elsewhere can be closed', async () => {
  const sandbox = await createSandbox()
  await sandbox.control.drop()
  await sandbox.close()
})

test('calls of a closed sandbox are refused, with the reason', async () => {
  const sandbox = await createSandbox()
  const service = sandbox.client()
  await sandbox.close()
  const closed = `sandbox "${sandbox.id}": it is closed; make another one with createSandbox()`
  const controlled = await errorOf(sandbox.clock.now())
  expect(controlled).toBeInstanceOf(ControlError)
  expect(controlled).toMatchObject({ code: 'closed', message: closed })
  const requested = await errorOf(service.perpdex.tickers())
  expect(requested).toBeInstanceOf(ClientError)
  expect(requested).toMatchObject({ message: closed })
  expect(() => sandbox.client()).toThrow(closed)
})

test('invalid options are refused by name', async () => {
  const error = await errorOf(createSandbox({ tape: 'no-such-tape' }))
  expect(error).toBeInstanceOf(ControlError)
  expect(error).toMatchObject({
    code: 'wrong-call',
    message: expect.stringContaining('there is no tape "no-such-tape"'),
  })
  const wrong = { sped: 2 } as object
  expect(await errorOf(createSandbox(wrong))).toMatchObject({
    message: expect.stringContaining('unknown field "sped"'),
  })
})

/** The output of a program that makes sandboxes, after it has ended by itself. */
async function outputOf(code: string): Promise<string[]> {
  const run = Bun.spawn(
    [process.execPath, '-e', `import * as tapewright from '${INDEX}'\n${code}`],
    {
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [output, errors] = [await run.stdout.text(), await run.stderr.text()]
  return [output, errors]
}

test('an import does nothing, and a program ends when its sandboxes are closed', async () => {
  expect(await outputOf('console.log(typeof tapewright.createSandbox)')).toEqual(['function\n', ''])
  const code = `{
    await tapewright.createSandbox({ tape: 'none' }).catch(({ code }) => console.log(code))
    await using sandbox = await tapewright.createSandbox()
    console.log((await sandbox.client().perpdex.tickers()).length > 0)
  }`
  expect(await outputOf(code)).toEqual(['wrong-call\ntrue\n', ''])
})
