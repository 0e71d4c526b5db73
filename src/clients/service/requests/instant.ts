/** Times of answers, whatever their unit. */

/** From here on a number is of milliseconds: in seconds it would be the year 5138. */
const MS_LEAST = 1e11

/**
 * An instant as milliseconds since 1970: of seconds or milliseconds, told apart by their size, as
 * numbers or as text, and of ISO 8601 or `YYYY-MM-DD HH:mm:ss`, in UTC. NaN for anything else.
 */
export function instantMs(time: number | string): number {
  const number = typeof time === 'number' ? time : time.trim() === '' ? Number.NaN : Number(time)
  if (!Number.isNaN(number)) return Math.abs(number) < MS_LEAST ? number * 1000 : number
  const text = String(time)
  return Date.parse(/^\d{4}-\d\d-\d\d \d/.test(text) ? `${text.replace(' ', 'T')}Z` : text)
}
