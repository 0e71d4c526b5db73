/** No output of the client contains a secret or a signature; signing without WebCrypto. */
import { expect, test } from 'bun:test'
import { inspect } from 'node:util'
import { client } from '../../src/clients/service/client.ts'
import { coin } from '../../src/clients/service/contract/coin.ts'
import { clientOf } from '../../src/clients/service/lean-client.ts'
import type { ClientSettings } from '../../src/clients/service/settings.ts'
import { sign } from '../../src/contract/signature.ts'
import { FINE, failure, KEY, SECRET } from '../fixtures/answered-client.ts'

test('no error, cause or printed form contains the secret or a signature', async () => {
  const urls: string[] = []
  const send = (failing: (url: string) => Response) => async (url: string) => {
    urls.push(url)
    return failing(url)
  }
  const response = (url: string, status: number, type = 'text/html') =>
    new Response(`<html>no ${url} ${SECRET} ${new URL(url).search}</html>`, {
      status,
      headers: { 'content-type': type },
    })
  const refusing = (url: string) =>
    new Response(JSON.stringify({ code: '400', msg: `bad ${url} ${SECRET}` }), { status: 400 })
  const throwing = (url: string): Response => {
    throw Object.assign(new TypeError(`fetch failed: ${url}`), { path: url, code: 'ECONNRESET' })
  }
  for (const answer of [
    send((url) => response(url, 502)),
    send((url) => response(url, 200)),
    send(refusing),
    send(throwing),
  ]) {
    const service = client({ ...KEY, send: answer })
    const error = await failure(service.coin.list())
    const printed = [
      inspect(error, { depth: 9, showHidden: true }),
      Bun.inspect(error),
      String(error.stack),
      JSON.stringify(error),
      inspect(service, { depth: 9, showHidden: true }),
    ].join('\n')
    const signature = new URL(urls.at(-1) ?? '').searchParams.get('Signature') ?? ''
    expect(signature).toHaveLength(56)
    for (const scheduled of [SECRET, signature, encodeURIComponent(signature)])
      expect(printed).not.toContain(scheduled)
  }
  const unreachable = client({ ...KEY, baseUrl: 'http://127.0.0.1:1' })
  const printed = inspect(await failure(unreachable.coin.list()), { depth: 9, showHidden: true })
  expect(printed).not.toMatch(/Signature|the-secret/)
})

test('without WebCrypto the error has the remedy, and a given function signs', async () => {
  const { subtle } = crypto
  const requested: string[] = []
  const settings: ClientSettings = {
    ...KEY,
    send: async (url) => {
      requested.push(url)
      return new Response(FINE)
    },
  }
  try {
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true })
    expect(String(await failure(clientOf({ coin }, settings).coin.list()))).toContain('sign')
    await clientOf({ coin }, { ...settings, sign }).coin.list()
  } finally {
    Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true })
  }
  await clientOf({ coin }, settings).coin.list()
  for (const url of requested) {
    const { Signature, ...signed } = Object.fromEntries(new URL(url).searchParams)
    expect(Signature).toBe(sign(signed as never, SECRET))
  }
  expect(requested).toHaveLength(2)
})
