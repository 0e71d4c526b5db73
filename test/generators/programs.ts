/** User code for generators: configuration, signing, and a first call. */

/** The paths are the service's own; an address never reads `oid`. */
export const REDOCLY = `extends: [recommended]
rules:
  no-ambiguous-paths: off
`

/** The rule does not support tuples of JSON Schema 2020-12, whose \`items\` is \`false\`. */
export const SPECTRAL = `extends: ["spectral:oas"]
rules:
  array-items: off
`

/** The tested generators read version 3.0; a stand-in has no address for questions. */
export const SPECTRAL_ASYNCAPI = `extends: ["spectral:asyncapi"]
rules:
  asyncapi-latest-version: off
  asyncapi-info-contact: off
`

export const SIGNING = `
const utf8 = new TextEncoder()

/** The same address with the four parameters of a signature. */
export async function signed(url: string): Promise<string> {
  const parts = {
    AccessKeyId: 'demo',
    SignatureNonce: crypto.randomUUID().slice(0, 8),
    Timestamp: String(Math.floor(Date.now() / 1000)),
  }
  const text = Object.entries(parts)
    .map(([name, value]) => name + '=' + value)
    .join('&')
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const secret = utf8.encode('demo-secret')
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(text)))
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const query = new URLSearchParams({ ...parts, Signature: btoa(hex) })
  return url + (url.includes('?') ? '&' : '?') + query
}
`

export const TYPES_USED = `
import type { components, paths } from './types.ts'
type Ticker = components['schemas']['Ticker']
type Success = paths['/api/upgrade/v2/hl/tickers']['get']['responses'][200]
type Answer = Success['content']['application/json']
const ticker: Ticker = { coin: 'BTC', price: '101' }
export const answer: Answer = { code: '0', msg: 'success', data: [ticker] }
// @ts-expect-error: a price is text
export const wrong: Ticker = { coin: 'BTC', price: 101 }
export const tuple: components['schemas']['PortfolioPoint'] = [1, '2']
// @ts-expect-error: two and no more
export const longer: components['schemas']['PortfolioPoint'] = [1, '2', '3']
`

export const WITH_HEY = `
import { client } from './hey/client.gen.ts'
import { perpdexTickers } from './hey/index.ts'
import { ORIGIN, signed } from './signing.ts'
client.setConfig({ baseUrl: ORIGIN })
const unsigned = await perpdexTickers()
client.interceptors.request.use(async (request) => new Request(await signed(request.url), request))
const { data } = await perpdexTickers({ throwOnError: true })
const [first] = data.data
console.log(first?.coin, first?.price)
console.log(unsigned.response?.status, unsigned.error?.msg)
export {}
`

export const ORVAL = `
module.exports = {
  tapewright: {
    input: './openapi.json',
    output: {
      target: './orval/client.ts',
      client: 'fetch',
      override: { mutator: { path: './fetch.ts', name: 'signingFetch' } },
    },
  },
}
require('node:fs').writeFileSync('fetch.ts', \`
import { ORIGIN, signed } from './signing'
export async function signingFetch<T>(url: string, options: RequestInit): Promise<T> {
  const { status, headers, ...answer } = await fetch(await signed(ORIGIN + url), options)
    .then(async (got) => ({ status: got.status, headers: got.headers, data: await got.json() }))
  return { status, headers, ...answer } as T
}
\`)
`

export const WITH_ORVAL = `
import { perpdexTickers } from './orval/client'
const { status, data } = await perpdexTickers()
if (status !== 200) throw new Error(data.msg)
console.log(status, data.data[0]?.coin, data.data[0]?.price)
export {}
`

export const MODELS = `
import { TypeScriptGenerator } from '@asyncapi/modelina'
import { Parser } from '@asyncapi/parser'
import { readFileSync, writeFileSync } from 'node:fs'
const { document, diagnostics } = await new Parser().parse(readFileSync('asyncapi.json', 'utf8'))
const generator = new TypeScriptGenerator({ modelType: 'interface' })
const models = document ? await generator.generate(document) : []
const texts = models.map(({ result }) => result.replace(/^(interface|enum|type) /gm, 'export $1 '))
writeFileSync('all-models.ts', texts.join('\\n'))
// The newest version adds nothing that this document uses, and fewer tools read it.
const found = diagnostics.filter(({ code }) => code !== 'asyncapi-latest-version')
console.log(JSON.stringify({
  diagnostics: found.map(({ message, path }) => [message, path]),
  // Unions of constants may be without a name, what has fields may not.
  names: models
    .filter(({ result }) => result.includes('interface'))
    .map(({ modelName }) => modelName),
}))
`
