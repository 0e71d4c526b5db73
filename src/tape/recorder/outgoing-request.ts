import { type BodyFraming, requestFraming } from './http/body-framing.ts'
import {
  type HeaderField,
  headerField,
  headerValue,
  type MessageHead,
} from './http/message-head.ts'
import { requestLine } from './http/start-lines.ts'
import type { ProxyContext } from './proxy-context.ts'

/** A request as it goes to the service. */
export interface OutgoingRequest {
  method: string
  /** Path and query. */
  target: string
  head: MessageHead
  framing: BodyFraming
}

/** A client's request for the service: other host and prefix, perhaps signed, else unchanged. */
export function outgoingRequest(
  head: MessageHead,
  { address, sign }: Pick<ProxyContext, 'address' | 'sign'>,
): OutgoingRequest {
  const { method, target: asked, version } = requestLine(head)
  const target = `${address.prefix}${sign === null ? asked : sign(asked)}`
  const host = headerField('Host', address.host)
  const others = withoutHttp2(head).map((field) => (field.name === 'host' ? host : field))
  const fields = others.includes(host) ? others : [host, ...others]
  const framing = requestFraming(head)
  return { method, target, framing, head: { first: `${method} ${target} ${version}`, fields } }
}

/**
 * Without the offer to go over to HTTP/2, which is meant for whoever it is sent to and could not be
 * recorded if the service took it.
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
