import { expect, test } from 'bun:test'
import { Redaction } from './redaction.ts'

const KEY = 'AKIA/52+ü"longKey'
const SECRET = 'sk-77aa88bb99cc'

/** All ways in which a text may contain a secret field of that name. */
const CARRIED: [name: string, text: string][] = [
  ['a query', `/a?x=1&AccessKeyId=${encodeURIComponent(KEY)}&y=2`],
  ['a name in percent signs', `/a?%41ccessKeyId=${encodeURIComponent(KEY)}`],
  ['JSON', JSON.stringify({ a: 1, AccessKeyId: KEY, b: { secret_key: SECRET } })],
  ['JSON in JSON', JSON.stringify({ text: JSON.stringify({ secretKey: SECRET }) })],
  ['JSON in JSON in JSON', JSON.stringify(JSON.stringify(JSON.stringify({ secretKey: SECRET })))],
  ['JSON with spaces', JSON.stringify({ secretKey: SECRET }, null, 2)],
  ['a name with JSON escapes', `{"\\u0053ecretKey":"${SECRET}"}`],
  ['a value with JSON escapes', `{"secretKey":"\\u0073${SECRET.slice(1)}"}`],
  ['an escaped name after a long text', `${'\\"'.repeat(40_000)}{"\\u0053ecretKey":"${SECRET}"}`],
  ['a value that breaks off', `{"secretKey":"${SECRET}`],
  ['a token in a query', `/a?x=1&token=${SECRET}&y=2`],
  ['a token in an address in a text', `see https://x/y?jwt=${SECRET} there`],
  ['a form', `user=me&api-secret=${SECRET}&x=1`],
  ['an address in a text', `see https://x/y?AccessKeyId=${encodeURIComponent(KEY)} there`],
  ['an address in percent signs', encodeURIComponent(`https://x/y?secretKey=${SECRET}&z=1`)],
  ['JSON in percent signs', `/a?q=${encodeURIComponent(JSON.stringify({ secretKey: SECRET }))}`],
  ['JSON in Base64', btoa(JSON.stringify({ a: 1, secretKey: SECRET }))],
  ['JSON in a word of Base64', btoa(`..${JSON.stringify({ a: 1, secretKey: SECRET })}`)],
  ['a header of a service', JSON.stringify({ 'X-Auth-Token': KEY, x_access_token: SECRET })],
  ['more than an expression holds at a time', `a=1&secretKey=${SECRET}${'x'.repeat(1 << 20)}`],
  ['a text of a million letters', `{"secretKey":"${SECRET}${'x'.repeat(1 << 20)}"}`],
  ['a list', `{"secretKey":["${SECRET}","x"],"y":1}`],
  ['a field of a form', `auth[secretKey]=${SECRET}&x=1`],
  ['a field of a query', `/a?auth%5BsecretKey%5D=${SECRET}&x=1`],
  ['a form whose names have percent signs', `x=1&secret%5Fkey=${SECRET}`],
  [
    'a form in parts',
    `--b\r\nContent-Disposition: form-data; name="secret_key"\r\n\r\n${SECRET}\r\n--b--\r\n`,
  ],
  ['an object', `{"signature":{"r":"${SECRET}","v":27}}`],
]

/** The secrets in all searched encodings. */
const FORBIDDEN = [KEY, SECRET].flatMap((secret) => {
  const shifted = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(' '.repeat(shift) + secret).toString('base64')
    return encoded.slice(Math.ceil((shift * 8) / 6), -4)
  })
  const inJson = JSON.stringify(secret).slice(1, -1)
  return [secret, encodeURIComponent(secret), inJson, secret.slice(1), ...shifted]
})

function expectClean(text: string): void {
  for (const form of FORBIDDEN) expect(text).not.toContain(form)
}

for (const [name, text] of CARRIED)
  test(`a secret is removed from ${name}`, () => {
    const redaction = new Redaction({})
    const cleaned = text.startsWith('/') ? redaction.url(text) : redaction.text(text)
    expect(cleaned).toContain('redacted')
    expectClean(cleaned)
    if (text.startsWith('{') && text.endsWith('}')) JSON.parse(cleaned)
  })

test('equal secrets have equal placeholders, different ones different', () => {
  const redaction = new Redaction({})
  expect(redaction.url('/a?AccessKeyId=one&Signature=x')).toBe(
    '/a?AccessKeyId=redacted-1&Signature=redacted',
  )
  expect(redaction.text('{"access_key":"two"}')).toBe('{"access_key":"redacted-2"}')
  expect(redaction.text('{"AccessKeyId":"one"}')).toBe('{"AccessKeyId":"redacted-1"}')
  expect(redaction.url('/a?AccessKeyId=redacted-1')).toBe('/a?AccessKeyId=redacted-1')
})

test('a known secret is found wherever it recurs', () => {
  const redaction = new Redaction({ secrets: [SECRET] })
  redaction.url(`/a?AccessKeyId=${encodeURIComponent(KEY)}`)
  for (const text of [
    SECRET,
    KEY,
    `no key "${KEY}"`,
    encodeURIComponent(KEY),
    btoa(`..${SECRET}.`),
  ])
    expectClean(redaction.text(text))
  expectClean(redaction.text(JSON.stringify({ error: `${KEY} is unknown` })))
  expectClean(redaction.bytes(Buffer.from(`\u0000ÿ${SECRET}`, 'latin1')).toString('latin1'))
})

test('a short one is found only as a separate word', () => {
  const redaction = new Redaction({})
  redaction.url('/a?AccessKeyId=demo')
  expect(redaction.text('demo is not demonstrated by demo-partner')).toBe(
    'redacted-1 is not demonstrated by demo-partner',
  )
})

test('fields can be named', () => {
  const redaction = new Redaction({ fields: ['clientOrderTag'] })
  expect(redaction.text('{"client_order_tag":"abc","x":"abc"}')).not.toContain(
    '"client_order_tag":"abc"',
  )
  expect(redaction.url('/a?clientOrderTag=abc')).toBe('/a?clientOrderTag=redacted-1')
})

test('text without secrets stays byte for byte', () => {
  const redaction = new Redaction({ secrets: [SECRET] })
  const query = `/a%20b?x='%20"|&y=%7B%22a%22%3A1%7D&z=100%&w=a+b&keys=1&signed=2`
  expect(redaction.url(query)).toBe(query)
  for (const text of ['{"coin":"BTC","px":"1.50","token":"USDC"}', '100 %25 \\u00e9 "\\u0041"'])
    expect(redaction.text(text)).toBe(text)
})

/** Texts with quadratic matching at risk, or with nested secrets. */
const LONG: [name: string, text: string, cleaned: string | null][] = [
  ['a long word and a percent sign', `${'A'.repeat(1 << 20)} 100%25`, null],
  ['a secret beside a long word', `secret ${'a'.repeat(1 << 20)}`, null],
  ['a long run of backslashes', `secret ${'\\'.repeat(1 << 20)}`, null],
  ['an escape before a long word', `"\\u0042${'a'.repeat(1 << 20)}.b"`, null],
  ['a string of quotes without an end', `${'\\"'.repeat(1 << 18)}\\u0042`, null],
  ['percent signs in percent signs', `a %${'25'.repeat(1 << 16)}41`, 'a redacted'],
]

for (const [name, text, cleaned] of LONG)
  test(`time grows linearly with the length: ${name}`, () => {
    expect(new Redaction({}).text(text) === (cleaned ?? text)).toBe(true)
  })

test('secrets of all sessions are remembered together, however long they are', () => {
  const redaction = new Redaction({})
  const secrets = Array.from({ length: 150 }, (_, i) => `${'/key+'.repeat(400)}${i}.`)
  for (const secret of secrets) redaction.secret(secret)
  expect(redaction.text(secrets.join(' '))).toBe(
    secrets.map((_, i) => `redacted-${i + 1}`).join(' '),
  )
})

test('a name without letters matches nothing', () => {
  for (const name of ['', '-'])
    expect(() => new Redaction({ fields: [name] })).toThrow(
      `--redact must name a field, not "${name}"`,
    )
})
