/** What documents say of parameters. */
import type { Parameter } from '../parameters.ts'
import type { TSchema } from '../schema.ts'

/** Description, silent limits and other spellings of a parameter, in words. */
export function notes(schema: TSchema): string {
  const aliases = schema['x-alias'] as string[] | undefined
  return [
    schema.description,
    cutNotes(schema),
    aliases && `also spelled ${aliases.map((alias) => `\`${alias}\``).join(', ')}`,
  ]
    .filter((part) => part)
    .join('; ')
}

/** Whether a value of it can be refused: free text in a path or a query cannot. */
export function canBeInvalid({ place, schema }: Parameter): boolean {
  return place === 'body' || !isFreeText(schema)
}

function cutNotes(schema: TSchema): string | undefined {
  const most = schema['x-cut'] as number | undefined
  if (most === undefined) return undefined
  return schema.type === 'integer'
    ? `more than ${most} is silently cut to ${most}`
    : `everything after the first ${most} is silently cut`
}

const LIMITS = ['enum', 'const', 'pattern', 'maxLength', 'x-span']

function isFreeText(schema: TSchema): boolean {
  const members = schema.anyOf as TSchema[] | undefined
  if (members) return members.some(isFreeText)
  return schema.type === 'string' && LIMITS.every((limit) => schema[limit] === undefined)
}
