/** Every field of every response, wrong in every way. */

import exampleAnswers from '../../../../src/contract/documents/example-answers.json' with {
  type: 'json',
}
import type { Operation } from '../../../../src/contract/operation.ts'
import type { Deviation } from '../deviation.ts'
import { bodyOf } from '../requested.ts'
import { fieldChanges } from './field-changes.ts'
import { type SchemaField, schemaFields } from './schema-fields.ts'

/**
 * The venue's own responses are not declared; of several forms that an open question selects, those
 * of the default answers count.
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
