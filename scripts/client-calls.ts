/** What the client has to know of the contract, without its schemas, out of the contract. */
import type { Channel } from '../src/contract/channel.ts'
import { STREAMS } from '../src/contract/channels.ts'
import type { Operation } from '../src/contract/operation.ts'
import { CONTRACT } from '../src/contract/operations.ts'

/** The text of `src/client/contract-calls.ts`. */
export function clientCalls(): string {
  const groups = Object.entries(CONTRACT).map(
    ([group, operations]) =>
      `  ${group}: {\n${Object.entries(operations as Record<string, Operation>)
        .map(([name, operation]) => `    ${name}: ${operationText(operation)},\n`)
        .join('')}  },\n`,
  )
  const channels = Object.entries(STREAMS as Record<string, Channel>).map(
    ([name, channel]) => `  ${name}: ${channelText(channel)},\n`,
  )
  return `/** How to ask for what is in the contract. Written by \`bun run generate\`. */
// biome-ignore-all format: one line for each
import type { ChannelCall, OperationCall } from './contract-call.ts'

type Calls<T> = Readonly<Record<string, T>>

export const OPERATION_CALLS: Calls<Calls<OperationCall>> = {
${groups.join('')}}

export const CHANNEL_CALLS: Calls<ChannelCall> = {
${channels.join('')}}
`
}

function operationText({ id, method, path, params, envelope }: Operation): string {
  const hasBody = params.body === undefined ? '' : ', hasBody: true'
  const isBare = envelope.kind === 'bare' ? ', isBare: true' : ''
  return `{ id: '${id}', method: '${method}',\n      path: '${path}'${hasBody}${isBare} }`
}

function channelText({ id, dialect, counted }: Channel): string {
  const isOfficial = dialect.name === 'official'
  const head = `{ id: '${id}', path: '${dialect.path}',`
  return `${head}\n    isOfficial: ${isOfficial}, isCounted: ${counted} }`
}
