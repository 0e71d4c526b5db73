/** A parsed object of which nothing is known yet. */
export type UnknownRecord = Record<string, unknown>

/** True for whole numbers from 0 up that are exact. */
export function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** A value as it would stand in a line, shortened, for an error about it. */
export function excerptOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
