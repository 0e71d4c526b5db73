import type { SystemClock } from '../../clock/system-clock.ts'
import { CREDENTIAL_NAMES, credentials } from '../../contract/signature.ts'
import { UserError } from '../../platform/user-error.ts'
import {
  type BodyFraming,
  type HeaderField,
  headerField,
  headerValue,
  type MessageHead,
  requestFraming,
  requestLine,
} from './http/message-head.ts'
import type { ProxyContext } from './recording.ts'

/** Address of the service. */
export interface UpstreamAddress {
  hostname: string
  port: number
  isTls: boolean
  /** As in a Host header. */
  host: string
  /** Prefix of each path. */
  prefix: string
  /** As given. */
  shown: string
}

/** Parses the URL of a service; a UserError describes a valid one. */
export function upstreamAddress(given: string): UpstreamAddress {
  const url = /^(https?|wss?):\/\//.test(given) && URL.canParse(given) ? new URL(given) : null
  if (url === null)
    throw new UserError(`--upstream must be a URL such as https://example.com, not "${given}"`)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UserError('--upstream takes no user, query or fragment: keys go with the requests')
  const isTls = url.protocol === 'https:' || url.protocol === 'wss:'
  return {
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    isTls,
    host: url.host,
    prefix: url.pathname.replace(/\/$/, ''),
    shown: given,
  }
}

/** A request to the service. */
export interface OutgoingRequest {
  method: string
  /** Path and query. */
  target: string
  head: MessageHead
  framing: BodyFraming
}

/**
 * A client's request for the service: host and prefix replaced, optionally signed, else unchanged.
 */
export function outgoingRequest(
  head: MessageHead,
  { address, sign }: Pick<ProxyContext, 'address' | 'sign'>,
): OutgoingRequest {
  const { method, target: requested, version } = requestLine(head)
  const target = `${address.prefix}${sign === null ? requested : sign(requested)}`
  const host = headerField('Host', address.host)
  const others = withoutHttp2(head).map((field) => (field.name === 'host' ? host : field))
  const fields = others.includes(host) ? others : [host, ...others]
  const framing = requestFraming(head)
  return { method, target, framing, head: { first: `${method} ${target} ${version}`, fields } }
}

/**
 * Removes the offer of an upgrade to HTTP/2, which is hop-by-hop and could not be recorded if the
 * service accepted it.
 */
function withoutHttp2(head: MessageHead): readonly HeaderField[] {
  if (!/^h2c$/i.test(headerValue(head, 'upgrade') ?? '')) return head.fields
  return head.fields.flatMap((field) => {
    if (field.name === 'upgrade' || field.name === 'http2-settings') return []
    if (field.name !== 'connection') return [field]
    const kept = field.value.split(',').map((one) => one.trim())
    const others = kept.filter((one) => !/^(?:upgrade|http2-settings)$/i.test(one))
    return others.length === 0 ? [] : [headerField('Connection', others.join(', '))]
  })
}

/** A key that signs requests for clients that cannot. */
export interface SigningKey {
  accessKey: string
  secretKey: string
}

/** Parses `KEY:SECRET`. */
export function signingKey(given: string): SigningKey {
  const [, accessKey, secretKey] = /^([^:]+):(.+)$/s.exec(given) ?? []
  if (accessKey === undefined || secretKey === undefined)
    throw new UserError('--sign-with must be KEY:SECRET, with a colon between them')
  return { accessKey, secretKey }
}

/** Signs the path and query of each request; replaces an earlier signature. */
export function targetSigner(
  { accessKey, secretKey }: SigningKey,
  clock: SystemClock,
): (target: string) => string {
  const start = clock.nowMs().toString(36).replace('.', '')
  let count = 0
  return (target) => {
    const at = target.indexOf('?')
    const query = at < 0 ? '' : target.slice(at + 1)
    const own = query.split('&').filter((part) => part !== '' && !isCredential(part))
    const timestampS = Math.floor(clock.nowMs() / 1000)
    const signed = credentials({ accessKey, secretKey, nonce: `${start}-${count++}`, timestampS })
    const parts = CREDENTIAL_NAMES.map((name) => `${name}=${encodeURIComponent(signed[name])}`)
    return `${at < 0 ? target : target.slice(0, at)}?${[...own, ...parts].join('&')}`
  }
}

const isCredential = (part: string): boolean =>
  CREDENTIAL_NAMES.some((name) => part.startsWith(`${name}=`))
