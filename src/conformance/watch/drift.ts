/** In what two looks at a target differ that is no matter of the market. */
import { CHANNELS, OPERATIONS } from '../../contract/catalogue.ts'
import { ANYTHING, type DeclaredPlace, declaredForm, type SeenForm } from './answer-form.ts'

/** What one look saw of a target. */
export interface Look {
  /** Of each operation and channel that something was heard of. */
  forms: Record<string, HeardForm>
  /** How open questions are answered. */
  questions: Record<string, string>
}

export interface HeardForm {
  /** `HTTP 200`, or what else came of it. */
  outcome: string
  form: SeenForm
}

/** What has changed since the looks before, a line each. */
export function driftSince(before: Look, now: Look): string[] {
  const forms = Object.entries(now.forms).flatMap(([id, heard]) => {
    const known = before.forms[id]
    if (known === undefined) return []
    if (known.outcome !== heard.outcome) return [`${id}: ${known.outcome} before, ${heard.outcome}`]
    return placeDrift(known.form, heard.form, declaredOf(id)).map((line) => `${id}: ${line}`)
  })
  const questions = Object.entries(now.questions).flatMap(([id, answer]) => {
    const known = before.questions[id]
    if (known === undefined || known === answer) return []
    return [`open question ${id}: ${known} before, ${answer} now`]
  })
  return [...forms, ...questions]
}

/** All that is known after another look: of what was not heard of this time, what was known. */
export function afterLook(before: Look, now: Look): Look {
  const forms = Object.entries(now.forms).map(([id, heard]) => {
    const known = before.forms[id]
    if (known === undefined || known.outcome !== heard.outcome) return [id, heard] as const
    return [id, { outcome: heard.outcome, form: together(known.form, heard.form) }] as const
  })
  return {
    forms: { ...before.forms, ...Object.fromEntries(forms) },
    questions: { ...before.questions, ...now.questions },
  }
}

/** What the contract says of the data of an operation or a channel, at its place in an answer. */
function declaredOf(id: string): Map<string, DeclaredPlace> {
  const { data } = [...OPERATIONS, ...CHANNELS].find((one) => one.id === id) ?? {}
  return data ? declaredForm(data, 'data') : new Map()
}

function placeDrift(
  before: SeenForm,
  now: SeenForm,
  declared: ReadonlyMap<string, DeclaredPlace>,
): string[] {
  const added = Object.entries(now).flatMap(([at, { types }]) => {
    const known = before[at]
    if (known === undefined)
      return isNews(at, before) && !declared.has(at) ? [`${at} is new, ${types.join(' or ')}`] : []
    const allowed = declared.get(at)?.types ?? UNDECLARED
    const others = types.filter((type) => !known.types.includes(type) && !allowed.has(type))
    // Nothing was seen there before but nulls.
    if (others.length === 0 || allowed.has(ANYTHING) || known.types.join() === 'null') return []
    return [`${at} was ${known.types.join(' or ')}, and is ${types.join(' or ')}`]
  })
  const gone = Object.entries(before).flatMap(([at, { always }]) => {
    const mayLack = declared.get(at)?.mayBeLeftOut ?? false
    if (!always || mayLack || now[at]?.always || !isFilled(at, now)) return []
    return [now[at] ? `${at} was always there, and is not always` : `${at} is gone`]
  })
  return [...added, ...gone]
}

const UNDECLARED: ReadonlySet<string> = new Set(['null'])

/** Whether what is around a place was there before: else it is news that all of it is there. */
const isNews = (at: string, before: SeenForm): boolean =>
  !at.endsWith('[]') && (before[around(at)]?.types.includes('object') ?? false)

/** Whether a place that is not there now could be. */
const isFilled = (at: string, now: SeenForm): boolean =>
  !at.endsWith('[]') && !at.endsWith('*') && (now[around(at)]?.types.includes('object') ?? false)

const around = (at: string): string => at.slice(0, Math.max(0, at.lastIndexOf('.')))

function together(before: SeenForm, now: SeenForm): SeenForm {
  const places = [...new Set([...Object.keys(before), ...Object.keys(now)])].map((at) => {
    const [one, other] = [before[at], now[at]]
    const types = [...new Set([...(one?.types ?? []), ...(other?.types ?? [])])].sort()
    const isThere = other?.always ?? !isFilled(at, now)
    return [at, { types, always: isThere && (one?.always ?? isFirst(at, before)) }] as const
  })
  return Object.fromEntries(places)
}

/** Whether nothing around a place was seen before it. */
const isFirst = (at: string, before: SeenForm): boolean => before[around(at)] === undefined
