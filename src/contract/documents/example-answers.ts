/**
 * Recorded answers over the default recording, for examples. `bun run generate` records them in
 * example-answers.json; lists in them are cut after two elements.
 */
import { INFO_TYPES } from '../info/index.ts'
import type { Example, Operation } from '../operation.ts'
import type { TSchema } from '../schema.ts'
import { rebaseOf } from '../shown-value.ts'
import { isInfo } from './components.ts'
import recorded from './example-answers.json' with { type: 'json' }

/** A request as it was sent, and its answer. */
export interface ExampleAnswer extends Example {
  answer: unknown
}

/** A request, with its answer where one was recorded. */
export interface ShownExample extends Example {
  answer?: unknown
}

/**
 * The recorded requests of an operation, with their answers. Their instants are those of the tape,
 * or shifted: an instant may identify a record, which a sandbox finds only by its shown time.
 */
export function exampleAnswersOf(operation: Operation, shiftMs = 0): readonly ExampleAnswer[] {
  const examples = (recorded as unknown as Record<string, ExampleAnswer[]>)[operation.id] ?? []
  return shiftMs === 0 ? examples : examples.map((one) => shiftedExample(operation, one, shiftMs))
}

function shiftedExample(operation: Operation, example: ExampleAnswer, byMs: number): ExampleAnswer {
  const { name, path, query, body, answer } = example
  const { request, data } = schemasOf(operation, body)
  return {
    name,
    ...(path ? { path: shiftedTexts(operation.params.path, path, byMs) } : {}),
    ...(query ? { query: shiftedTexts(operation.params.query, query, byMs) } : {}),
    ...(body === undefined ? {} : { body: shifted(request, body, byMs) }),
    answer: withData(answer, (given) => shifted(data, given, byMs)),
  }
}

/** The schemas of a body and of its answer's data; one operation has several types of both. */
function schemasOf(operation: Operation, body: unknown) {
  const info = isInfo(operation)
    ? INFO_TYPES.find(({ type }) => type === (body as { type: string }).type)
    : undefined
  return info ?? { request: operation.params.body, data: operation.data }
}

const shifted = (schema: TSchema | undefined, value: unknown, byMs: number): unknown =>
  (schema && rebaseOf(schema)?.(value, byMs)) ?? value

/** Parameters as texts, some of which are instants. */
function shiftedTexts(
  schema: TSchema | undefined,
  texts: Readonly<Record<string, string>>,
  byMs: number,
): Record<string, string> {
  const fields = (schema?.properties ?? {}) as Record<string, TSchema>
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const field = fields[name]
      // 0 means all time.
      if (text === '0') return [name, text]
      const value = field?.type === 'integer' ? Number(text) : text
      return [name, String(shifted(field, value, byMs))]
    }),
  )
}

const withData = (answer: unknown, shift: (data: unknown) => unknown): unknown => {
  const enveloped = answer as { data?: unknown }
  return 'data' in enveloped ? { ...enveloped, data: shift(enveloped.data) } : answer
}
