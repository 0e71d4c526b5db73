/** Every field of every answer, wrong in every way. */
import type { Operation } from '../../../../src/contract/operation.ts'
import { bodyOf } from '../asked.ts'
import type { Deviation } from '../deviation.ts'
import { fieldChanges } from './field-changes.ts'
import { schemaFields } from './schema-fields.ts'

/** Answers that are the venue's own are not declared. */
export const fieldDeviations = (operation: Operation): Deviation[] =>
  schemaFields(operation.data).flatMap((field, at) =>
    fieldChanges(field, at).map(
      (change): Deviation => ({
        id: `${change.class}.${operation.id}.${field.path}: ${change.what}`,
        class: change.class,
        of: operation.id,
        ...(field.inForm ? { unshown: ANOTHER_FORM } : {}),
        change: () =>
          bodyOf(operation, (body) => {
            const data = operation.envelope.kind === 'bare' ? body : body.data
            for (const holder of field.holders(data)) change.apply(holder, field.name)
            return body
          }),
      }),
    ),
  )

const ANOTHER_FORM = 'of a form that another answer to an open question gives'
