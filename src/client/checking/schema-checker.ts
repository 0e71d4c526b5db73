/** Checks answers and pushes by schemas. */
import type { Ask } from '../continuity/backfill.ts'
import { AnswerError } from '../errors.ts'
import { redacted } from '../redaction.ts'
import type { OperationCall } from '../requests/operation-call.ts'
import type { CallParameters } from '../requests/request.ts'
import type { Checker, Flaw, OnMissing } from './checker.ts'
import { type Check, type CheckedSchema, compiledCheck, flawOf } from './schema-check.ts'
import { TradeAudit } from './trade-audit.ts'

/** Schemas of answers by group and operation, and those of `info` and of the channels. */
export type Schemas = Readonly<Record<string, Readonly<Record<string, CheckedSchema>>>>

export class SchemaChecker implements Checker {
  private readonly checks = new Map<CheckedSchema, Check>()

  constructor(private readonly schemas: Schemas) {}

  check({ id, addressesMax }: OperationCall, { body }: CallParameters, data: unknown): void {
    const [group = '', name = ''] = id.split('.')
    const { type, addresses } = Object(body) as { type?: string; addresses?: unknown[] }
    const isInfo = id === 'perpdex.info'
    const flaw = isInfo ? this.flaw('info', type ?? '', data) : this.flaw(group, name, data)
    if (flaw) throw answerError(id, flaw, data)
    if (addressesMax === null || !Array.isArray(data) || !Array.isArray(addresses)) return
    const asked = Math.min(addressesMax, new Set(addresses).size)
    if (data.length >= asked) return
    const expected = `${asked} rows, one for each address, not ${data.length}`
    throw answerError(id, { path: '', expected }, data)
  }

  pushFlaw(channel: string, data: unknown): Flaw | null {
    return this.flaw('channels', channel, data)
  }

  tradeCounter(ask: Ask, coin: unknown, onMissing: OnMissing): TradeAudit {
    return new TradeAudit(ask, coin, onMissing)
  }

  private flaw(group: string, name: string, data: unknown): Flaw | null {
    const schema = this.schemas[group]?.[name]
    if (schema === undefined) return null
    let check = this.checks.get(schema)
    if (check === undefined) {
      check = compiledCheck(schema)
      this.checks.set(schema, check)
    }
    return check(data) ? null : flawOf(schema, data)
  }
}

function answerError(id: string, { path, expected }: Flaw, data: unknown): AnswerError {
  const excerpt = redacted(JSON.stringify(data) ?? '', '').slice(0, 200)
  const message = `the answer is not as the contract says: data${path} should be ${expected}`
  return new AnswerError(id, message, { status: 200, excerpt, path })
}
