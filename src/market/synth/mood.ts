/** How the market is disposed where nothing else says so. */
export interface Mood {
  /** Logarithmic drift of the whole market, a day, at first; half of it is left after so long. */
  driftPerDay: number
  driftHalfLifeH: number
  /** How many times more it drifts as it begins, so that an hour shows it; that fades in hours. */
  surge: number
  /** Volatility against the usual one. */
  volatility: number
  /** How fast a price comes back to where the hour began: so many times in an hour. */
  reversionPerH: number
  /** Cascades of liquidations a day, and the part of them that fall. */
  cascadesPerDay: number
  falls: number
  /** What perpetuals' premiums move towards, as a part of one. */
  premium: number
}

/** What a market is like when nobody asks for another mood. */
const USUAL: Mood = mood({})

/** The moods that can be asked for. */
export const MOODS = {
  calm: mood({ volatility: 0.5, cascadesPerDay: 0 }),
  bull: mood({ driftPerDay: 0.09, surge: 3.5, falls: 0.25, cascadesPerDay: 4, premium: 0.0009 }),
  bear: mood({
    driftPerDay: -0.09,
    surge: 3.5,
    volatility: 1.25,
    falls: 0.8,
    cascadesPerDay: 5,
    premium: -0.0008,
  }),
  crash: mood({
    driftPerDay: -0.6,
    driftHalfLifeH: 6,
    volatility: 2.6,
    cascadesPerDay: 40,
    falls: 0.9,
    premium: -0.0016,
  }),
  chop: mood({ volatility: 1.5, reversionPerH: 3, cascadesPerDay: 6, falls: 0.5 }),
} as const satisfies Record<string, Mood>

export type MoodName = keyof typeof MOODS

export const MOOD_NAMES = [
  'calm',
  'bull',
  'bear',
  'crash',
  'chop',
] as const satisfies readonly MoodName[]

/** The mood of a name; the usual one without. */
export function moodOf(name: MoodName | null): Mood {
  return name === null ? USUAL : MOODS[name]
}

function mood(differing: Partial<Mood>): Mood {
  return {
    driftPerDay: differing.driftPerDay ?? 0,
    surge: differing.surge ?? 0,
    driftHalfLifeH: differing.driftHalfLifeH ?? 72,
    volatility: differing.volatility ?? 1,
    reversionPerH: differing.reversionPerH ?? 0,
    cascadesPerDay: differing.cascadesPerDay ?? 2.5,
    falls: differing.falls ?? 0.6,
    premium: differing.premium ?? 0.0001,
  }
}
