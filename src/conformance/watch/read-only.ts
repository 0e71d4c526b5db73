/** A way to a target on which nothing is changed there. */
import { PREFIXES } from '../../contract/prefixes.ts'
import { SkipCase } from '../case-outcome.ts'
import { operationAt } from '../said-data.ts'
import type { TargetTransport, TransportRequest } from '../target-transport.ts'

/** Lets nothing pass that changes something, whoever asks for it. */
export const readOnly = (transport: TargetTransport): TargetTransport => ({
  ...transport,
  async request(sent) {
    if (!isRead(sent)) throw new SkipCase('it would change something at the target')
    return transport.request(sent)
  },
})

/** What is not declared is read with GET. */
function isRead({ method, path }: TransportRequest): boolean {
  const whole = path.split('?')[0] ?? ''
  const prefix = PREFIXES.find((one) => whole.startsWith(`${one}/`)) ?? ''
  const operation = operationAt(method, whole.slice(prefix.length))
  return operation === undefined ? method === 'GET' : operation.changes === undefined
}
