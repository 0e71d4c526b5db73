/** Whether an answer is what the operation that was asked declares, whatever it was asked with. */
import { OPERATIONS } from '../contract/index.ts'
import type { Operation } from '../contract/operation.ts'
import type { ProbeExchange } from './probe-request.ts'
import { schemaMismatch } from './schema-mismatch.ts'

/** Where the data of a successful answer is not of its schema; null when it is. */
export function answerMismatch(exchange: ProbeExchange, data: unknown): string | null {
  const operation = operationAsked(exchange)
  if (!operation || operation.profile || operation.servedWhen) return null
  return schemaMismatch(operation.data, data)
}

/** Patterns of paths; one without parameters goes before those with some. */
const ROUTES = OPERATIONS.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/:\w+/g, '[^/]+')}$`),
})).sort((one, other) => holes(one.operation) - holes(other.operation))

function operationAsked({ method, path }: ProbeExchange): Operation | undefined {
  return ROUTES.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
    ?.operation
}

function holes({ path }: Operation): number {
  return path.split(':').length
}
