/** What somebody may have meant who named a thing that there is not. */
import { closestMatch } from 'leven'

/** The known name that is nearest to the one given; undefined when none is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const name = given.slice(0, LENGTH_MAX).toLowerCase()
  const maxDistance = Math.floor(name.length * TYPOS_SHARE)
  return (
    closestMatch(name, known, { maxDistance }) ??
    known.find((one) => sortedLetters(one) === sortedLetters(name))
  )
}

/**
 * `there is no scenario "stale-bok", did you mean "stale-book"?`; where no name is near, it says
 * which there are.
 */
export function unknownText(kind: string, given: string, known: readonly string[]): string {
  const missing = `there is no ${kind} "${given.slice(0, LENGTH_MAX)}"`
  const nearest = nearestName(given, known)
  if (nearest !== undefined) return `${missing}, did you mean "${nearest}"?`
  if (known.length === 0) return missing
  const more = known.length > NAMES_LISTED ? ` and ${known.length - NAMES_LISTED} more` : ''
  return `${missing}, there are: ${known.slice(0, NAMES_LISTED).join(', ')}${more}`
}

/** Letters that are swapped are two typos otherwise, which is too many for a short name. */
const sortedLetters = (name: string) => [...name].sort().join('')

/** So much of what was given is looked at and shown. */
const LENGTH_MAX = 100

/** So many of the known names are listed. */
const NAMES_LISTED = 40

/** So much of a name may be mistyped. */
const TYPOS_SHARE = 0.4
