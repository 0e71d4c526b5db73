/** A listing is known by its name, and refused. */

/** The kinds that no market can be told, with the reason. */
export const REFUSED_KINDS: Readonly<Record<string, string>> = {
  listing:
    'cannot be "listing": a world has the coins of its tape from its first day to its last, so ' +
    'none can begin to be traded; the scenario listing-day shows a coin as if it were just listed',
}
