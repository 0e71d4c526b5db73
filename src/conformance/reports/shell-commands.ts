/** Command lines that ask again what a case has asked, for a POSIX shell. */

import type { Said, SaidRequest, SaidSocket } from '../conversation.ts'
import { isJsonObject, parsedJson } from '../parsed-json.ts'
import { signatureText } from './evidence-text.ts'

/** Whoever runs them sets these two; the signature is made from them. */
export const KEY_VARIABLES = ['ACCESS_KEY', 'SECRET_KEY'] as const

/** With curl or websocat; the signature is computed with openssl when it is run. */
export function shellCommand(said: Said): string {
  const again = said.kind === 'request' ? curlLine(said) : websocatLine(said)
  if (said.signature.in === 'nowhere') return again
  const note = `# ${KEY_VARIABLES.join(' and ')}: ${signatureText(said).slice(1, -1)}`
  return `${note}\n${signing(said.signature.ageS)}\n${again}`
}

/** The suite again, for one case only. */
export const onlyCommand = (run: string, id: string): string => `${run} --only ${id}`

function signing(ageS: number): string {
  const time = ageS === 0 ? '$(date +%s)' : `$(($(date +%s) - ${ageS}))`
  return (
    `NONCE=$(openssl rand -hex 8) TIME=${time}\n` +
    `SIGNATURE=$(printf 'AccessKeyId=%s&SignatureNonce=%s&Timestamp=%s' "$ACCESS_KEY" "$NONCE" ` +
    `"$TIME" | openssl dgst -sha1 -hmac "$SECRET_KEY" -r | cut -c1-40 | tr -d '\\n' | ` +
    'openssl base64 -A)'
  )
}

/** In a query; Base64 of hexadecimal digits has neither `+` nor `/`. */
const IN_QUERY =
  'AccessKeyId=$ACCESS_KEY&SignatureNonce=$NONCE&Timestamp=$TIME&Signature=$SIGNATURE'

const FIELDS: readonly [string, string][] = [
  ['AccessKeyId', '$ACCESS_KEY'],
  ['SignatureNonce', '$NONCE'],
  ['Timestamp', '$TIME'],
  ['Signature', '$SIGNATURE'],
]

function curlLine(said: SaidRequest): string {
  const body = bodyText(said)
  const data = body === null ? '' : ` -H 'content-type: application/json' --data-raw ${body}`
  return `curl -sS -i -X ${said.method} ${addressText(said)}${data}`
}

function websocatLine(said: SaidSocket): string {
  const frames = said.frames.filter(({ from, text }) => from === 'suite' && !text.startsWith('('))
  const sent = frames.map(({ text }) => ` ${quoted(text)}`).join('')
  // Without end: what is pushed comes later.
  const input = sent === '' ? 'sleep 60' : `{ printf '%s\\n'${sent}; sleep 60; }`
  return `${input} | websocat ${addressText(said)}`
}

function addressText({ address, signature }: Said): string {
  if (signature.in !== 'query') return quoted(address)
  return `${quoted(`${address}${address.includes('?') ? '&' : '?'}`)}"${IN_QUERY}"`
}

/** The body, quoted, with its credentials where they stand in it; null when there is none. */
function bodyText({ body, signature }: SaidRequest): string | null {
  if (body === undefined) return null
  const fields = parsedJson(body)
  if (signature.in !== 'body' || !isJsonObject(fields)) return quoted(body)
  const inside = Object.entries(fields).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  const signed = FIELDS.map(([name, value]) => `"${name}":"'"${value}"'"`)
  return `'{${[...inside.map(escaped), ...signed].join(',')}}'`
}

const escaped = (text: string): string => text.replaceAll("'", "'\\''")

const quoted = (text: string): string => `'${escaped(text)}'`
