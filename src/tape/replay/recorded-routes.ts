/** Which operation or socket a recorded path means: asked of whoever routes requests. */
import type { Channel } from '../../contract/channel.ts'
import type { Dialect } from '../../contract/dialect.ts'
import type { Operation } from '../../contract/operation.ts'

/** An operation, and the parameters of its path, decoded. */
export interface RecordedOperation {
  operation: Operation
  params: Readonly<Record<string, string>>
}

/** How a socket is spoken, and the channels on it. */
export interface RecordedSocket {
  dialect: Dialect
  channels: readonly Channel[]
}

/** Answers for full paths, under any prefix and any sandbox's base; null for what is neither. */
export interface RecordedRoutes {
  operationAt(method: string, path: string): RecordedOperation | null
  socketAt(path: string): RecordedSocket | null
}

/** Path and query of a recorded url. */
export function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?')
  return mark === -1
    ? { path: url, query: '' }
    : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}
