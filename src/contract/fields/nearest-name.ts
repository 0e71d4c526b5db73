/** Suggests a known name for an unknown one. */
import { closestMatch } from 'leven'

/**
 * The known name nearest to the given one, in either case; undefined when none is near. `share` is
 * the largest share of mistyped letters.
 */
export function nearestName(
  given: string,
  known: readonly string[],
  share = TYPOS_SHARE,
): string | undefined {
  const name = given.slice(0, LENGTH_MAX).toLowerCase()
  const maxDistance = Math.floor(name.length * share)
  const lower = known.map((one) => one.toLowerCase())
  const nearest =
    closestMatch(name, lower, { maxDistance }) ??
    lower.find((one) => sortedLetters(one) === sortedLetters(name))
  return nearest === undefined ? undefined : known[lower.indexOf(nearest)]
}

/**
 * `there is no scenario "stale-bok", did you mean "stale-book"?`; where no name is near, it lists
 * the known ones.
 */
export function unknownText(kind: string, given: string, known: readonly string[]): string {
  const missing = `there is no ${kind} "${given.slice(0, LENGTH_MAX)}"`
  const nearest = nearestName(given, known)
  if (nearest !== undefined) return `${missing}, did you mean "${nearest}"?`
  if (known.length === 0) return missing
  const more = known.length > NAMES_LISTED ? ` and ${known.length - NAMES_LISTED} more` : ''
  return `${missing}, there are: ${known.slice(0, NAMES_LISTED).join(', ')}${more}`
}

/** Swapped letters count as two typos otherwise, which is too many for a short name. */
const sortedLetters = (name: string) => [...name].sort().join('')

/** Maximum length of the given name that is compared and shown. */
const LENGTH_MAX = 100

/** Maximum number of listed names. */
const NAMES_LISTED = 40

/** Maximum share of mistyped letters. */
const TYPOS_SHARE = 0.4
