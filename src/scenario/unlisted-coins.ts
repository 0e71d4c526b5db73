/** Coins that there are not: missing in what is told, and unknown when they are asked for. */
import { mapTexts } from './data-transforms.ts'
import { matchesName } from './name-match.ts'

/** The data without the rows, fields and names that are about the coins; null when all of it is. */
export function withoutCoins(data: unknown, coins: readonly string[]): unknown {
  const isCoin = (text: unknown) => typeof text === 'string' && matchesName(coins, [text])
  return isAbout(data, isCoin) ? null : without(data, isCoin)
}

/** The same of a push; undefined when nothing is left of what it tells. */
export function pushWithoutCoins(data: unknown, coins: readonly string[]): unknown {
  const kept = withoutCoins(data, coins)
  return kept === null || (kept !== data && hasLostAll(data, kept)) ? undefined : kept
}

/** The same values with the coins under names that no market has. */
export const withUnknownCoins = (values: unknown, coins: readonly string[]): unknown =>
  mapTexts(values, (text) =>
    text
      .split(',')
      .map((name) => (matchesName(coins, [name.trim()]) ? `${MARK}${name.trim()}` : name))
      .join(','),
  )

/** A text with the names as they were asked for. */
export const withAskedNames = (text: string): string => text.replaceAll(MARK, '')

const MARK = 'unlisted~'

type IsCoin = (text: unknown) => boolean

function without(data: unknown, isCoin: IsCoin): unknown {
  if (typeof data !== 'object' || data === null) return data
  if (Array.isArray(data)) return withoutIn(withoutPlaces(data, isCoin) as unknown[], isCoin)
  const entries = Object.entries(withoutPlaces(data, isCoin) as object)
  const kept = entries.filter(([name]) => !isCoin(name))
  const changed = kept.map(([name, value]): [string, unknown] => [name, without(value, isCoin)])
  const isSame =
    kept.length === Object.keys(data).length &&
    changed.every(([name, value]) => value === (data as Record<string, unknown>)[name])
  return isSame ? data : Object.fromEntries(changed)
}

function withoutIn(list: unknown[], isCoin: IsCoin): unknown[] {
  const kept = list.filter((one) => !isAbout(one, isCoin))
  const changed = kept.map((one) => without(one, isCoin))
  return changed.length === list.length && changed.every((one, at) => one === list[at])
    ? list
    : changed
}

/** Contexts stand at the places of their coins, and do not name them. */
function withoutPlaces(data: object, isCoin: IsCoin): object {
  const [meta, contexts] = Object.values(data)
  const universe = (meta as { universe?: unknown } | null)?.universe
  if (!Array.isArray(universe) || !Array.isArray(contexts)) return data
  const kept = contexts.filter((_, at) => !isAbout(universe[at], isCoin))
  if (kept.length === contexts.length) return data
  const [, second = ''] = Object.keys(data)
  return Array.isArray(data) ? data.with(1, kept) : { ...data, [second]: kept }
}

/** Whether a row names one of the coins: itself, or in an object inside it. */
function isAbout(row: unknown, isCoin: IsCoin): boolean {
  if (typeof row !== 'object' || row === null) return isCoin(row)
  if (Array.isArray(row)) return row.some(isCoin)
  return Object.values(row).some((value) => !Array.isArray(value) && isAbout(value, isCoin))
}

/** Whether something was listed before, at the top, and nothing is now. */
function hasLostAll(data: unknown, kept: unknown): boolean {
  const listsOf = (one: unknown) =>
    Array.isArray(one) ? [one] : Object.values(one as object).filter(Array.isArray)
  const [before, after] = [listsOf(data), listsOf(kept)]
  return before.some(isFilled) && !after.some(isFilled)
}

const isFilled = (list: unknown[]) => list.length > 0
