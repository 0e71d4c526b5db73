/**
 * An operation as a declaration: request, access, answer and envelope. Routes, parameter reading,
 * documents and conformance cases are derived from it.
 */
import type { Slices } from '../clock/turns.ts'
import type { Access } from './access.ts'
import type { Facts } from './facts.ts'
import { type Answers, type ByAnswer, byAnswer, type OneAnswer } from './questions.ts'
import type { Refusal, RefusalName } from './refusal.ts'
import type { Static, TObject, TSchema } from './schema.ts'
import type { Tenant } from './tenant.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Parsed parameters: of their declared types, limits cut, defaults filled in. */
export interface OperationInput<P, Q, B> {
  path: P
  query: Q
  body: B
}

/** A request before its body is read. */
export interface SentRequest {
  /** As text. */
  body: string
  /** Its header, null without one; undefined where requests have no headers. */
  contentType?: string | null | undefined
}

/** Whether a request says that its body is JSON; true where requests have no headers. */
export const isJsonType = ({ contentType }: SentRequest): boolean =>
  contentType === undefined || /^application\/(.+\+)?json\s*(;|$)/i.test(contentType ?? '')

/** The schemas of one `type` of a body. */
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
  /** Served only with this answer to an open question. */
  servedWhen?: OneAnswer
  /** Other paths that clients use for the same (relative to the prefix). */
  aliases?: string[]
  title: string
  /** Its description, in a sentence or two. */
  about?: string
  /** Its place in the contract. */
  source: string
  envelope: Envelope
  /** Other envelopes, by the answer to an open question. */
  envelopeByAnswer?: ByAnswer<Envelope>
  access: Access
  /** Another access, by the answer to an open question. */
  accessByAnswer?: ByAnswer<Access>
  params?: { path?: P; query?: Q; body?: B }
  /** The additional fields and the data of each `type` of body; the answer reads it. */
  bodies?: ReadonlyMap<string, Body>
  data: D
  /** It changes data of the tenant: conformance calls it in cases written for it. */
  changes?: true
  /** The flaw of a request as it was sent, before anything of it is read. */
  flawAsSent?: (sent: SentRequest) => Refusal | null
  /** The refusals of the answer itself, besides those of access and reading. */
  refuses?: R[]
  /** Our choices where the contract is open; ids of questions or a plain sentence. */
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

/** An operation with the types of its input and data. */
export interface TypedOperation<P, Q, B, D> extends Operation {
  readonly shapes?: { path: P; query: Q; body: B; data: D }
}

/**
 * Data without a schema here, because an inner schema describes it. A type of its own, as `unknown`
 * would include refusals.
 */
export interface Opaque {
  readonly [opaque]: true
}

declare const opaque: unique symbol

type Answered<D> = unknown extends D ? Opaque : D

type DirectAnswer<D extends TSchema, R extends RefusalName> = Answered<Static<D>> | Refusal<R>

/**
 * Declares an operation; its `answer` is one query to the facts, or one change of the tenant, and
 * may be a generator of slices. A refusal that `refuses` does not name does not compile.
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
    /** Why it failed, for journal, log and explain: the client gets no reason. */
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

/** The schemas of a body's type, where an operation distinguishes types. */
export function bodyOf({ bodies }: Operation, body: unknown): Body | undefined {
  const { type } = (body ?? {}) as { type?: unknown }
  return typeof type === 'string' ? bodies?.get(type) : undefined
}

/** The envelope of an operation under the answers to the open questions. */
export function envelopeOf({ envelope, envelopeByAnswer }: Operation, answers: Answers): Envelope {
  return (envelopeByAnswer && byAnswer(envelopeByAnswer, answers)) ?? envelope
}

// The three envelopes of answers (the service's documentation, Conventions), with their special
// cases as data.

/** The envelope of an operation's data. */
export type Envelope =
  /** `{success, errorCode, error, data}` */
  | { kind: 'A' }
  /** `{code, msg, data}`; two operations differ in the code or in the name of the text field. */
  | { kind: 'B'; code: string | number; text: 'msg' | 'message' }
  /** `{success, data, message}`; two operations leave out `data` or `message`. */
  | { kind: 'C'; message: string | null; data: boolean }
  /** No envelope: the control plane and raw answers. */
  | { kind: 'bare' }

export const A: Envelope = { kind: 'A' }
export const bare: Envelope = { kind: 'bare' }

/** Envelope B; `code` is `"0"` and the text field `msg` by default. */
export const B = (
  variant: { code?: string | number; text?: 'msg' | 'message' } = {},
): Envelope => ({
  kind: 'B',
  code: variant.code ?? '0',
  text: variant.text ?? 'msg',
})

/** Envelope C with its success message, which null leaves out, as `data: false` does the data. */
export const C = (
  message: string | null = 'success',
  variant: { data?: boolean } = {},
): Envelope => ({
  kind: 'C',
  message,
  data: variant.data ?? true,
})

/** The body of a successful answer, as text. `data` is already JSON. */
export function wrap(envelope: Envelope, data: string): string {
  switch (envelope.kind) {
    case 'A':
      return `{"success":true,"errorCode":200,"error":"","data":${data}}`
    case 'B':
      return `{"code":${JSON.stringify(envelope.code)},"${envelope.text}":"success","data":${data}}`
    case 'C':
      return wrapC(envelope, data)
    case 'bare':
      return data
  }
}

function wrapC({ message, data: shown }: Extract<Envelope, { kind: 'C' }>, data: string): string {
  const fields = ['"success":true']
  if (shown) fields.push(`"data":${data}`)
  if (message !== null) fields.push(`"message":${JSON.stringify(message)}`)
  return `{${fields.join(',')}}`
}
