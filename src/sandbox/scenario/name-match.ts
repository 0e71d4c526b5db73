/** Names that rules give, which may end in `*` and are written in any case. */

/** Whether a name is, or begins, another. */
export function fits(name: string, known: string): boolean {
  const [wanted, given] = [name.toLowerCase(), known.toLowerCase()]
  return wanted.endsWith('*') ? given.startsWith(wanted.slice(0, -1)) : given === wanted
}

/** Whether one of the names fits one of the values. */
export const matchesName = (
  names: string | readonly string[],
  values: readonly string[],
): boolean => [names].flat().some((name) => values.some((value) => fits(name, value)))
