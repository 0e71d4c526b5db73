/** Takes out of a report what nobody may read there. */
import type { Target } from './target.ts'

const HIDDEN = '(hidden)'

/** Shorter ones stand in other words as well. */
const LENGTH_MIN = 6

/**
 * A value, which becomes JSON, without the target's secrets and without whatever is called a key, a
 * secret, an invite token or a signature: a target may say again what it was sent.
 */
export function withoutSecrets<T>(told: T, { keys, inviteToken }: Target): T {
  const known = Object.values(keys).map(({ secretKey }) => secretKey)
  const secrets = [...known, inviteToken ?? ''].filter(({ length }) => length >= LENGTH_MIN)
  const hide = (text: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), withoutNamed(text))
  return JSON.parse(JSON.stringify(told), (name, value) => {
    if (typeof value !== 'string') return value
    return NAME.test(name) ? HIDDEN : hide(value)
  })
}

/** `Signature=…`, `"secretKey":"…"`, also inside a text that is itself in JSON. */
const withoutNamed = (text: string): string =>
  text
    .replaceAll(IN_QUERY, (_, name: string) => `${name}=${HIDDEN}`)
    .replaceAll(IN_JSON, (_, name: string) => `${name}${HIDDEN}`)

const SIGNED = 'AccessKeyId|Signature'
const NAMES = `${SIGNED}|access_?key\\w*|\\w*secret\\w*|\\w*invite_?token\\w*`
const NAME = new RegExp(`^(?:${NAMES})$`, 'i')
const IN_QUERY = new RegExp(`\\b(${SIGNED})=[^&\\s"'<>\\\\]+`, 'g')
const IN_JSON = new RegExp(`(\\\\*"(?:${NAMES})\\\\*"\\s*:\\s*\\\\*")[^"\\\\]+`, 'gi')
