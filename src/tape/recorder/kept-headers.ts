/** Which header lines are kept, and how those are shown that hold secrets. */
import { headText, type MessageHead } from './http/message-head.ts'
import type { Redaction } from './redaction/redaction.ts'

/** What may change an answer. Others may hold anything, so they are left out. */
const OF_REQUESTS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'origin',
  'range',
  'user-agent',
])

/** What says how the bytes were sent, not what they are. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const SECRET = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
  'x-api-key',
  'x-mbx-apikey',
])

/** Headers of a request that are kept. The secrets of the others are known from now on. */
export function requestHeaders(head: MessageHead, redaction: Redaction): Record<string, string> {
  for (const { name, value } of head.fields)
    if (isSecret(name, redaction)) for (const one of secretsOf(name, value)) redaction.secret(one)
  const kept = head.fields.filter(({ name }) => OF_REQUESTS.has(name))
  return joined(kept.map(({ name, value }) => [name, redaction.text(headText(value))]))
}

/** Headers of an answer; values that are secret are replaced. */
export function answerHeaders(head: MessageHead, redaction: Redaction): Record<string, string> {
  const kept = head.fields.filter(({ name }) => !OF_THE_CONNECTION.has(name))
  return joined(
    kept.map(({ name, value }) => {
      if (!isSecret(name, redaction)) return [name, redaction.text(headText(value))]
      return [
        name,
        secretsOf(name, value)
          .map((one) => redaction.secret(one))
          .join(', '),
      ]
    }),
  )
}

const isSecret = (name: string, redaction: Redaction): boolean =>
  SECRET.has(name) || redaction.isSecretName(name)

/** Of a cookie its value: the name before it is none, and what follows says how long it is good. */
function secretsOf(name: string, value: string): string[] {
  if (name !== 'cookie' && name !== 'set-cookie') return [value]
  const pairs = name === 'cookie' ? value.split(';') : [value.split(';')[0] ?? '']
  return pairs.map((pair) => pair.slice(pair.indexOf('=') + 1).trim()).filter(Boolean)
}

function joined(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of pairs)
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  return headers
}
