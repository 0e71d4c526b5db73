import { type BodyFraming, requestFraming } from './http/body-framing.ts'
import { headerField, type MessageHead } from './http/message-head.ts'
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
  const others = head.fields.map((field) => (field.name === 'host' ? host : field))
  const fields = others.includes(host) ? others : [host, ...others]
  const framing = requestFraming(head)
  return { method, target, framing, head: { first: `${method} ${target} ${version}`, fields } }
}
