/** The deviations section of docs/conformance.md: a table by class, and the survivors. */
import { LEFT_OUT_DEVIATIONS } from '../all.ts'
import { CLASSES, type DeviationClass } from '../deviation.ts'
import { leftOut } from '../left-out.ts'
import { isExcused, isSurvivor, type Mode, noticedPart, type Outcome } from './outcomes.ts'
import { reasonFor } from './reasons.ts'

export type Outcomes = Record<Mode, readonly Outcome[]>

const [BEGIN, END] = ['<!-- begin of what `bun run deviations` writes -->', '<!-- end -->']

/** The page with the present table and survivors. */
export function withKillTable(page: string, outcomes: Outcomes): string {
  const [before, rest = ''] = page.split(BEGIN)
  const after = rest.split(END).slice(1).join(END)
  const written = [killTable(outcomes), survivors(outcomes), unshown(outcomes.with), notTried()]
  return `${before}${BEGIN}\n\n${written.join('\n\n')}\n${END}${after}`
}

/** Number of deviations per class in a page; the first column of numbers. */
export const countsIn = (page: string): Record<string, number> =>
  Object.fromEntries(
    [...(page.split(BEGIN)[1] ?? '').matchAll(/^\| ([^|*]+) \| (\d+) \|/gm)].map(
      ([, words = '', count]) => [words, Number(count)],
    ),
  )

function killTable(outcomes: Outcomes): string {
  const classes = Object.keys(CLASSES) as DeviationClass[]
  const of = (mode: Mode, kind: DeviationClass) =>
    outcomes[mode].filter((outcome) => outcome.class === kind)
  return [
    '| deviations | tried | noticed | without a control plane | cannot be shown |',
    '|---|---:|---:|---:|---:|',
    ...classes.map((kind) => row(CLASSES[kind], of('with', kind), of('without', kind))),
    row('**all**', outcomes.with, outcomes.without),
  ].join('\n')
}

const row = (words: string, own: readonly Outcome[], without: readonly Outcome[]): string =>
  `| ${[words, own.length, percent(own), percent(without), own.filter(isExcused).length || ''].join(
    ' | ',
  )} |`

const percent = (outcomes: readonly Outcome[]): string =>
  `${(Math.floor(noticedPart(outcomes) * 1000) / 10).toFixed(1)} %`

/** Survivors, grouped by reason. */
function survivors({ with: controlled, without }: Outcomes): string {
  const ids = new Set(controlled.filter(isSurvivor).map(({ id }) => id))
  const more = without.filter((one) => isSurvivor(one) && !ids.has(one.id)).map(({ id }) => id)
  return [
    'Not noticed:\n',
    ...byReason([...ids]),
    '\nNot noticed without a control plane besides:\n',
    ...byReason(more),
  ].join('\n')
}

/** Deviations without data in the default world. */
const unshown = (outcomes: readonly Outcome[]): string =>
  [
    'Changes no answer of the default world, as was expected:\n',
    ...grouped(
      outcomes.filter(isExcused),
      (one) => one.unshown ?? '',
      ({ id }) => id,
    ),
  ].join('\n')

/** Generated changes that are no deviations. */
const notTried = (): string =>
  [
    'Left out, as it departs from nothing; of what changes no answer the command shows it:\n',
    ...grouped(
      LEFT_OUT_DEVIATIONS,
      ({ id }) => leftOut(id)?.why ?? '',
      ({ id }) => id,
    ),
  ].join('\n')

const byReason = (ids: readonly string[]): string[] => grouped(ids, reasonFor, (id) => id)

/** A line for each reason, with the ids. */
function grouped<T>(all: readonly T[], reasonOf: (one: T) => string, idOf: (one: T) => string) {
  if (all.length === 0) return ['- none']
  return [...Map.groupBy(all, reasonOf)].map(
    ([reason, some]) => `- ${reason}: ${some.map((one) => `\`${idOf(one)}\``).join(', ')}`,
  )
}
