/** Distributes many kinds of deviations over places in turn. */

/** So many kinds, which rotate with `at`. */
export const takingTurns = <T>(ways: readonly T[], at: number, count: number): T[] =>
  Array.from({ length: Math.min(count, ways.length) }, (_, index) => {
    return ways[(at * count + index) % ways.length] as T
  })

/** Turn of an id: independent of other declarations. */
export const turnOf = (id: string): number =>
  [...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
