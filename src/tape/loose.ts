/** A parsed object of which nothing is known yet. */
export type Loose = Record<string, unknown>

/** True for whole numbers from 0 up that are exact. */
export function whole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** A value as it would stand in a line, shortened, for a complaint about it. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
