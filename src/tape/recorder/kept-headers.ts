/** Recorded header lines, with secrets replaced. */
import { headText, type MessageHead } from './http/message-head.ts'
import type { Redaction } from './redaction/redaction.ts'

/**
 * Request headers that may affect a response. Others may contain anything, so they are left out.
 */
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

/** Headers of the transfer, not of the contents. */
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

/** Recorded headers of a request. Registers the secrets of all others. */
export function requestHeaders(head: MessageHead, redaction: Redaction): Record<string, string> {
  for (const { name, value } of head.fields)
    if (isSecret(name, redaction)) for (const one of secretsOf(name, value)) redaction.secret(one)
  const kept = head.fields.filter(({ name }) => OF_REQUESTS.has(name))
  return joined(kept.map(({ name, value }) => [name, redaction.text(headText(value))]))
}

/** Headers of a response, with secret values replaced. */
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

/** Secrets of a cookie: only its value, not its name or attributes. */
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
