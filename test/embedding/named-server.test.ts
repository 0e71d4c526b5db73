/** Sandboxes on a running server. */
import { afterEach, expect, test } from 'bun:test'
import { control } from '../../src/entries/control.ts'
import { createSandbox, SandboxError } from '../../src/index.ts'
import { VERSION } from '../../src/platform/version.ts'
import { serve } from '../fixtures/test-server.ts'

afterEach(() => {
  delete process.env.TAPEWRIGHT_URL
  delete process.env.TAPEWRIGHT_CONTROL_TOKEN
})

/** The reason of a rejected promise. */
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

test('a named server is used, by option or by the environment', async () => {
  await using own = await createSandbox()
  const { origin } = new URL(own.baseUrl)
  process.env.TAPEWRIGHT_URL = origin
  await using other = await createSandbox({ name: 'other' })
  expect(other.baseUrl).toBe(`${origin}/s/other`)
  process.env.TAPEWRIGHT_URL = 'http://127.0.0.1:1'
  await using third = await createSandbox({ name: 'third', server: `${origin}/` })
  expect(third.baseUrl).toBe(`${origin}/s/third`)
})

test('a missing named server is reported, with the remedy', async () => {
  const error = await errorOf(createSandbox({ server: 'http://127.0.0.1:1' }))
  expect(error).toBeInstanceOf(SandboxError)
  expect(error).toMatchObject({
    message: expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:1 cannot be reached .*TAPEWRIGHT_URL name a server/,
    ),
  })
})

test('a server of another version is refused, and both versions are named', async () => {
  const health = { live: true, ready: true, version: '9.8.7' }
  using other = Bun.serve({ port: 0, fetch: () => Response.json(health) })
  const error = await errorOf(createSandbox({ server: other.url.origin }))
  expect(error).toBeInstanceOf(SandboxError)
  expect(error).toMatchObject({
    message: expect.stringMatching(
      /is Tapewright 9\.8\.7, and this package is \d\S+: install tapewright@9\.8\.7 here/,
    ),
  })
})

test('the token of a named server is an option, or in the environment', async () => {
  const { origin: server } = await serve({}, 'the-token')
  expect(await errorOf(createSandbox({ server }))).toMatchObject({ code: 'unauthorized' })
  await using one = await createSandbox({ server, token: 'the-token' })
  expect((await one.control.get()).id).toBe(one.id)
  process.env.TAPEWRIGHT_CONTROL_TOKEN = 'the-token'
  await using other = await createSandbox({ server })
  expect((await other.control.get()).id).toBe(other.id)
})

test('a call that another version does not understand is refused with both versions', async () => {
  const headers = { 'tapewright-version': '9.8.7' }
  const body = { error: 'unknown field "clock"' }
  using other = Bun.serve({ port: 0, fetch: () => Response.json(body, { status: 400, headers }) })
  expect(await errorOf(control(other.url.origin).sandboxes.create())).toMatchObject({
    code: 'wrong-call',
    message:
      'unknown field "clock" (the server is Tapewright 9.8.7 and this client ' +
      `${VERSION}: use one version of both)`,
  })
})
