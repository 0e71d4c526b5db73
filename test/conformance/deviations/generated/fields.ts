/** Every field of every answer, wrong in every way. */
import type { Operation } from '../../../../src/contract/operation.ts'
import type { TSchema } from '../../../../src/contract/schema.ts'
import { type Asked, bodyOf } from '../asked.ts'
import type { Change } from '../change.ts'
import type { Deviation } from '../deviation.ts'
import { fieldChanges } from './field-changes.ts'
import { schemaFields } from './schema-fields.ts'

/** Of an operation; of each type of question where there are types. */
export function fieldDeviations(operation: Operation): Deviation[] {
  const { id, data, bodies, examples } = operation
  if (!bodies) return fieldsOf(operation, id, data, () => true)
  const types = examples.map(({ body }) => (body as { type: string }).type)
  return [...new Set(types)].flatMap((type) => {
    const body = bodies.get(type)
    if (!body) return []
    return fieldsOf(operation, `${id}:${type}`, body.data, (asked) => asked.body?.type === type)
  })
}

const fieldsOf = (
  operation: Operation,
  name: string,
  schema: TSchema,
  isMeant: (asked: Asked) => boolean,
): Deviation[] =>
  schemaFields(schema).flatMap((field, at) =>
    fieldChanges(field, at).map((change): Deviation => {
      const changing: Change = bodyOf(operation, (body, asked) => {
        if (!isMeant(asked)) return body
        for (const holder of field.holders(operation.envelope.kind === 'bare' ? body : body.data))
          change.apply(holder, field.name)
        return body
      })
      return {
        id: `${change.class}.${name}.${field.path}: ${change.what}`,
        class: change.class,
        of: operation.id,
        change: () => changing,
      }
    }),
  )
