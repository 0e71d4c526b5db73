import type { PlainResponse } from './fault.ts'

/** A body that a rule gives: text as it is, and anything else as JSON. */
export const plainBody = (
  body: unknown,
  type: string | undefined,
): Pick<PlainResponse, 'body' | 'contentType'> =>
  typeof body === 'string'
    ? { body, contentType: type ?? 'text/plain; charset=utf-8' }
    : { body: JSON.stringify(body ?? null), contentType: type ?? JSON_TYPE }

const JSON_TYPE = 'application/json; charset=utf-8'
