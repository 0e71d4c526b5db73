/**
 * Coverage of declared schemas by responses: every branch of a union, each null, each optional
 * field present and absent, each word of a set.
 */

import { Value } from '@sinclair/typebox/value'
import { envelopeOf } from '../contract/operation.ts'
import { DEFAULT_ANSWERS } from '../contract/questions.ts'
import type { TSchema } from '../contract/schema.ts'
import { channelOf, operationAt, pushedData } from './answer-content.ts'
import type { ProbeListener } from './probe.ts'
import { isJsonObject, isSuccess } from './responses.ts'

export class SchemaCoverage {
  private readonly parts = new Map<string, boolean>()

  /** Records everything a run receives. */
  readonly listener: ProbeListener = {
    onAnswer: (exchange) => {
      const operation = operationAt(exchange.method, exchange.path)
      if (!operation || exchange.status !== 200) return
      const isBare = envelopeOf(operation, DEFAULT_ANSWERS).kind === 'bare'
      if (!isBare && !isSuccess(exchange)) return
      const data = isBare ? exchange.json : (exchange.json as { data?: unknown }).data
      if (data !== undefined) this.record(operation.id, operation.data, data)
    },
    onFrame: (path, frame) => {
      const channel = channelOf(path, frame)
      if (channel) this.record(channel.id, channel.data, pushedData(frame))
    },
  }

  /** Records the parts of a schema that a value shows; `name` is of the operation or channel. */
  record(name: string, schema: TSchema, value: unknown): void {
    this.walk(name, schema, value, true)
  }

  get total(): number {
    return this.parts.size
  }

  get seen(): number {
    return [...this.parts.values()].filter(Boolean).length
  }

  /** All parts seen so far, sorted: the order of cases varies. */
  get all(): string[] {
    return [...this.parts.keys()].sort()
  }

  /** Parts never seen. */
  get unseen(): string[] {
    return this.all.filter((part) => this.parts.get(part) === false)
  }

  private mark(part: string, seen: boolean): void {
    this.parts.set(part, seen || this.parts.get(part) === true)
  }

  /** @param isThere false where only the schema is walked, without a value */
  private walk(path: string, schema: TSchema, value: unknown, isThere: boolean): void {
    if (schema.anyOf) this.walkUnion(path, schema.anyOf as TSchema[], value, isThere)
    else if (schema.enum)
      for (const word of schema.enum as unknown[])
        this.mark(`${path} = ${word}`, isThere && word === value)
    else if (schema.type === 'array') this.walkList(path, schema, value, isThere)
    else if (schema.type === 'object') this.walkFields(path, schema, value, isThere)
  }

  private walkUnion(path: string, branches: TSchema[], value: unknown, isThere: boolean): void {
    for (const [at, branch] of branches.entries()) {
      const fits = isThere && Value.Check(branch, value)
      this.mark(`${path} | ${branch.const ?? branch.type ?? at}`, fits)
      this.walk(path, branch, value, fits)
    }
  }

  private walkList(path: string, { items }: TSchema, value: unknown, isThere: boolean): void {
    if (!items || Array.isArray(items)) return
    const list = isThere && Array.isArray(value) ? value : []
    for (const item of list.slice(0, ITEMS_MAX)) this.walk(`${path}[]`, items, item, true)
    if (list.length === 0) this.walk(`${path}[]`, items, undefined, false)
  }

  private walkFields(path: string, schema: TSchema, value: unknown, isThere: boolean): void {
    const required = new Set((schema.required as string[] | undefined) ?? [])
    const row = isThere && isJsonObject(value) ? value : {}
    for (const [name, field] of Object.entries(
      (schema.properties ?? {}) as Record<string, TSchema>,
    )) {
      const has = isThere && name in row
      if (!required.has(name)) {
        this.mark(`${path}.${name} there`, has)
        this.mark(`${path}.${name} left out`, isThere && !has)
      }
      this.walk(`${path}.${name}`, field, row[name], has)
    }
  }
}

/** Maximum elements of a list. */
const ITEMS_MAX = 200
