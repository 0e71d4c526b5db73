/** Pages and documents over HTTP. */
import { expect, test } from 'bun:test'
import { pages } from '../../src/pages/documents/pages.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const { origin } = await serveRegistry(await fakeRegistry(), null, pages)
const ask = (path: string, options: RequestInit = {}) => fetch(origin + path, options)

/** All pages except those that differ only in their operation. */
const PATHS = [...pages.keys()].filter((path) => !/^\/reference\/\w+\.(?!tickers)/.test(path))

test.each(PATHS)('%s answers 200 to GET and HEAD, and 405 to other methods', async (path) => {
  const [read, head] = [await ask(path), await ask(path, { method: 'HEAD' })]
  expect([read.status, head.status, await head.text()]).toEqual([200, 200, ''])
  expect(head.headers.get('content-type')).toBe(read.headers.get('content-type'))
  expect(read.headers.get('x-content-type-options')).toBe('nosniff')
  const policy = read.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe(?!-inline'$)|script-src[^;]*unsafe|style-src [^;]*unsafe/)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const refused = await ask(path, { method })
    expect([method, refused.status, refused.headers.get('allow')]).toEqual([
      method,
      405,
      'GET, HEAD',
    ])
    expect(await refused.text()).toContain('use GET')
  }
})

/** Pages that the framework's plugin writes. */
const PLUGIN_PAGES: ReadonlySet<string> = new Set(['/swagger', '/_control'])

test('no page of ours has an inline script or style, and none names another server', async () => {
  for (const path of PATHS) {
    const text = await (await ask(path)).text()
    if (!text.startsWith('<!doctype')) continue
    expect(text).not.toMatch(/\sstyle=|\son\w+=|https?:\/\//)
    if (PLUGIN_PAGES.has(path)) continue
    expect(text).not.toMatch(/<script(?! src="\/)|<style/)
    expect(text).toMatch(/<title>[^<]+ · Tapewright<\/title>/)
    expect(text.match(/<h1/g)).toHaveLength(1)
  }
})

test.each([...PLUGIN_PAGES])(
  '%s allows what the plugin writes into it by its hash',
  async (path) => {
    const answer = await ask(path)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const written = [...(await answer.text()).matchAll(/<(script|style)[^>]*>(.*?)<\/\1>/gs)]
    expect(written.map(([, tag]) => tag)).toEqual(['style', 'style', 'script', 'script'])
    for (const [, tag, content = ''] of written) {
      const hash = new Bun.CryptoHasher('sha256').update(content).digest('base64')
      const sources = new RegExp(`${tag}-src ([^;]*)`).exec(policy)?.[1]
      if (content !== '') expect(sources).toContain(`'sha256-${hash}'`)
    }
  },
)

test('the start page is small JSON for clients that accept it', async () => {
  const answer = await ask('/', { headers: { accept: 'application/json' } })
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(answer.headers.get('vary')).toBe('accept')
  const { name, links } = (await answer.json()) as { name: string; links: Record<string, string> }
  expect(name).toBe('tapewright')
  for (const path of Object.keys(links))
    expect([path, (await ask(path)).status]).toEqual([path, 200])
  const browsers = 'text/html,application/json;q=0.9,*/*;q=0.8'
  expect(await (await ask('/', { headers: { accept: browsers } })).text()).toStartWith('<!doctype')
})

test('other paths stay unknown', async () => {
  const paths = ['/reference/nothing', '/pages/', '/pages/../package.json', '/swagger/index.html']
  for (const path of [...paths, '/s/default', '/s/default/reference', '/favicon.png'])
    expect([path, (await ask(path)).status]).toEqual([path, 404])
  expect((await ask('/s/default/swagger')).status).toBe(200)
})
