/** Every field of every answer, wrong in every way. */

import exampleAnswers from '../../../../src/contract/documents/example-answers.json' with {
  type: 'json',
}
import type { Operation } from '../../../../src/contract/operation.ts'
import { bodyOf } from '../asked.ts'
import type { Deviation } from '../deviation.ts'
import { fieldChanges } from './field-changes.ts'
import { type SchemaField, schemaFields } from './schema-fields.ts'

/**
 * Answers that are the venue's own are not declared; of several forms between which an open
 * question decides, those count that the default answers choose.
 */
export const fieldDeviations = (operation: Operation): Deviation[] =>
  schemaFields(operation.data)
    .filter((field) => !field.inForm || isShown(operation, field))
    .flatMap((field, at) =>
      fieldChanges(field, at).map(
        (change): Deviation => ({
          id: `${change.class}.${operation.id}.${field.path}: ${change.what}`,
          class: change.class,
          of: operation.id,
          change: () =>
            bodyOf(operation, (body) => {
              const data = operation.envelope.kind === 'bare' ? body : body.data
              for (const holder of field.holders(data)) change.apply(holder, field.name)
              return body
            }),
        }),
      ),
    )

const isShown = ({ id }: Operation, { holders }: SchemaField): boolean =>
  (exampleAnswers as Record<string, { answer: { data?: unknown } }[]>)[id]?.some(
    ({ answer }) => holders(answer.data).length > 0,
  ) === true
