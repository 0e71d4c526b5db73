/**
 * An operation is a declaration: what is asked, who may ask, how it is answered and wrapped.
 * Routes, parameter reading, documents and conformance cases all come from it.
 */
import type { Slices } from '../clock/turns.ts'
import type { Access } from './access.ts'
import type { Envelope } from './envelope.ts'
import type { Facts } from './facts.ts'
import { type Answers, type ByAnswer, byAnswer, type OneAnswer } from './questions.ts'
import type { Refusal, RefusalName } from './refusal.ts'
import type { Static, TObject, TSchema } from './schema.ts'
import type { Tenant } from './tenant.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Parameters as read: of their declared types, limits cut, defaults filled in. */
export interface OperationInput<P, Q, B> {
  path: P
  query: Q
  body: B
}

/** What belongs to one `type` of a body. */
export interface Body {
  request: TObject
  data: TSchema
}

export interface Example {
  name: string
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

interface Declaration<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  D extends TSchema,
  R extends RefusalName,
> {
  /** `<group>.<operation>`: the file is `operations/<group>/<operation in kebab case>.ts`. */
  id: string
  method: Method
  /** Relative to the prefix: `/hl/fills/:address`. */
  path: string
  /** Served by sandboxes of this profile only, and at the root of their base URL. */
  profile?: 'raw'
  /** Served only where an open question is answered so. */
  servedWhen?: OneAnswer
  /** Other paths that clients use for the same (relative to the prefix). */
  aliases?: string[]
  title: string
  /** What it answers, in a sentence or two. */
  about?: string
  /** Where the contract says so. */
  source: string
  envelope: Envelope
  /** Other envelopes, by the answer to an open question. */
  envelopeByAnswer?: ByAnswer<Envelope>
  access: Access
  /** Other access, by the answer to an open question. */
  accessByAnswer?: ByAnswer<Access>
  params?: { path?: P; query?: Q; body?: B }
  /** What a body holds besides and what it is answered with, by its `type`; the answer reads it. */
  bodies?: ReadonlyMap<string, Body>
  data: D
  /** It changes what the tenant keeps: conformance calls it in cases that are written for it. */
  changes?: true
  /** The refusals that the answer itself may give, besides those of access and reading. */
  refuses?: R[]
  /** What the contract leaves open and we chose; ids of questions or a plain sentence. */
  assumed?: string[]
  examples: Example[]
}

/** An operation as other modules see it. */
export interface Operation extends Declaration<TObject, TObject, TSchema, TSchema, RefusalName> {
  params: { path?: TObject; query?: TObject; body?: TSchema }
  refuses: RefusalName[]
  assumed: string[]
  aliases: string[]
  answer: (input: OperationInput<never, never, never>, facts: Facts, tenant: Tenant) => unknown
  flaw:
    | ((input: OperationInput<never, never, never>, facts: Facts, tenant: Tenant) => string | null)
    | null
}

/** An operation that remembers, for types only, what it reads and answers. */
export interface TypedOperation<P, Q, B, D> extends Operation {
  readonly shapes?: { path: P; query: Q; body: B; data: D }
}

/**
 * Data of which the schema says nothing, because a schema further in did. With a type of its own,
 * as anything at all could be a refusal.
 */
export interface Opaque {
  readonly [opaque]: true
}

declare const opaque: unique symbol

type Answered<D> = unknown extends D ? Opaque : D

type DirectAnswer<D extends TSchema, R extends RefusalName> = Answered<Static<D>> | Refusal<R>

/**
 * Declares an operation; its `answer` names one question put to the facts, or one change asked of
 * the tenant, and may be given in slices. A refusal that `refuses` does not name does not compile.
 */
export function operation<
  D extends TSchema,
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TSchema,
  R extends RefusalName = never,
>(
  declaration: Declaration<P, Q, B, D, R> & {
    answer: (
      input: OperationInput<Static<P>, Static<Q>, Static<B>>,
      facts: Facts,
      tenant: Tenant,
    ) => DirectAnswer<D, NoInfer<R>> | Slices<DirectAnswer<D, NoInfer<R>>>
    /** Why it cannot be done, for journal, log and explain: the client is told only that. */
    flaw?: (
      input: OperationInput<Static<P>, Static<Q>, Static<B>>,
      facts: Facts,
      tenant: Tenant,
    ) => string | null
  },
): TypedOperation<P, Q, B, D> {
  return {
    params: {},
    refuses: [],
    assumed: [],
    aliases: [],
    flaw: null,
    ...declaration,
  } as unknown as TypedOperation<P, Q, B, D>
}

/** What belongs to the type of a body, where an operation tells its bodies apart. */
export function bodyOf({ bodies }: Operation, body: unknown): Body | undefined {
  const { type } = (body ?? {}) as { type?: unknown }
  return typeof type === 'string' ? bodies?.get(type) : undefined
}

/** How an operation's data is wrapped under some answers to the open questions. */
export function envelopeOf({ envelope, envelopeByAnswer }: Operation, answers: Answers): Envelope {
  return (envelopeByAnswer && byAnswer(envelopeByAnswer, answers)) ?? envelope
}
