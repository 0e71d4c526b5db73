/** Draws plans: a pure function of seed, world and options. */

import { QUESTIONS, type QuestionId } from '../../contract/questions.ts'
import { eventEndMs, type GivenEvent } from '../../market/events/market-event.ts'
import { type RandomSource, randomSource } from '../../random/random-source.ts'
import { FAULTS } from '../../sandbox/scenario/faults.ts'
import {
  type Action,
  beginMs,
  endMs,
  type Level,
  type Plan,
  type PlanWorld,
  spanOf,
} from './plan.ts'

/** The options of a drawn plan. */
export interface DrawOptions {
  seed: number
  level: Level
  lengthMs: number
  /** Coins that market events and rules are about; all of the world by default. */
  coins?: readonly string[] | undefined
}

/** The plan of a seed: the same for the same world and options on every machine. */
export function drawPlan(options: DrawOptions, world: PlanWorld): Plan {
  const { seed, level, lengthMs } = options
  const random = randomSource(seed, `plan/${level}/${lengthMs}`)
  const coins = options.coins?.length ? options.coins : world.coins
  const [least, most] = COUNTS[level]
  const wanted = random.between(least, most)
  const drawn: Action[] = []
  // An action that does not fit beside the others is drawn anew, a bounded number of times.
  for (let tries = 0; drawn.length < wanted && tries < wanted * TRIES; tries++) {
    const action = drawAction(random, { level, lengthMs, coins })
    if (drawn.every((other) => areCompatible(action, other, lengthMs))) drawn.push(action)
  }
  const actions = drawn.toSorted((a, b) => beginMs(a) - beginMs(b))
  return { seed, level, world: world.id, lengthMs, actions }
}

/**
 * A variation of a kept plan: some of its actions, some of them at other times, beside newly drawn
 * ones. The same for the same seed and kept plan.
 */
export function varyPlan(options: DrawOptions, world: PlanWorld, kept: Plan): Plan {
  const { seed, level, lengthMs } = options
  const random = randomSource(seed, `variation/${level}/${lengthMs}`)
  const some = kept.actions.filter(() => random.chance(0.8))
  const moved = some.map((action) =>
    random.chance(0.5) ? movedAction(random, action, lengthMs) : action,
  )
  const fresh = drawPlan(options, world).actions.filter(() => random.chance(0.4))
  const chosen: Action[] = []
  for (const action of [...moved, ...fresh])
    if (chosen.every((other) => areCompatible(action, other, lengthMs))) chosen.push(action)
  if (chosen.length === 0) return drawPlan(options, world)
  const [, most] = COUNTS[level]
  const actions = chosen.slice(0, most).toSorted((a, b) => beginMs(a) - beginMs(b))
  return { seed, level, world: world.id, lengthMs, actions }
}

/** The action up to five seconds earlier or later. */
function movedAction(random: RandomSource, action: Action, lengthMs: number): Action {
  const movedMs = beginMs(action) + STEP_MS * random.between(-50, 50)
  const latestMs = Math.floor((0.8 * lengthMs) / STEP_MS) * STEP_MS
  return { ...action, at: spanOf(Math.min(Math.max(movedMs, LEAST_MS), latestMs)) }
}

/** Names of faults and kinds of actions that a level draws. */
export const drawnNames = (level: Level): string[] => [
  ...new Set(
    DRAWS.filter(({ weights }) => (weights[LEVEL_AT[level]] as number) > 0).map(({ name }) => name),
  ),
]

const TRIES = 8

/** Minimum and maximum number of actions. */
const COUNTS: Readonly<Record<Level, readonly [number, number]>> = {
  calm: [1, 3],
  stormy: [3, 7],
  violent: [6, 14],
}

/** The longest duration of an action, s. */
const LONGEST_S: Readonly<Record<Level, number>> = { calm: 5, stormy: 15, violent: 25 }

interface Drawing {
  level: Level
  lengthMs: number
  coins: readonly string[]
}

type Weights = readonly [calm: number, stormy: number, violent: number]

/** A kind of action: how often it is drawn at each level, and what is drawn. */
interface Draw {
  /** The fault, or the kind of the action. */
  name: string
  weights: Weights
  draw(random: RandomSource, drawing: Drawing): Omit<Action, 'at'>
}

const LEVEL_AT: Readonly<Record<Level, number>> = { calm: 0, stormy: 1, violent: 2 }

function drawAction(random: RandomSource, drawing: Drawing): Action {
  const { level, lengthMs } = drawing
  const at = LEVEL_AT[level]
  const total = DRAWS.reduce((sum, { weights }) => sum + (weights[at] as number), 0)
  let left = random.unit() * total
  const chosen = DRAWS.find(({ weights }) => {
    left -= weights[at] as number
    return left < 0
  }) as Draw
  // The last part of a plan is for the consequences.
  const beginsMs = random.between(LEAST_MS / STEP_MS, Math.floor((0.8 * lengthMs) / STEP_MS))
  return { at: spanOf(beginsMs * STEP_MS), ...chosen.draw(random, drawing) }
}

/** Times of drawn actions are multiples of this; the first moments are the client's. */
const STEP_MS = 100
const LEAST_MS = 500

/** A duration from half a second up to the longest of the level. */
const lasting = (random: RandomSource, { level }: Drawing) =>
  spanOf(random.between(1, 2 * LONGEST_S[level]) * 500)

/** Whether two actions may be in one plan. */
function areCompatible(one: Action, other: Action, lengthMs: number): boolean {
  if (groupOf(one) !== groupOf(other)) return true
  const [first, second] = [spanIn(one, lengthMs), spanIn(other, lengthMs)]
  return first.toMs <= second.fromMs || second.toMs <= first.fromMs
}

/** The time that an action takes; that of a market event is its own. */
function spanIn(action: Action, lengthMs: number): { fromMs: number; toMs: number } {
  const fromMs = beginMs(action)
  if (action.market !== undefined)
    return { fromMs, toMs: eventEndMs({ event: action.market as GivenEvent, fromMs }) }
  return { fromMs, toMs: Math.max(endMs(action, { lengthMs }), fromMs + STEP_MS) }
}

/** Two jumps, seeks or speeds at once would be one; a fault hides others at its point. */
function groupOf({ fault, market, key, questions, jump, seek, speed }: Action): string {
  if (market !== undefined) return 'market'
  if (key !== undefined) return 'key'
  if (questions !== undefined) return `question ${Object.keys(questions).join()}`
  if ((jump ?? seek ?? speed) !== undefined) return 'time'
  const [name = ''] = typeof fault === 'string' ? [fault] : Object.keys(fault as object)
  return pointOf(name)
}

/** The point at which a fault acts; those on whole sockets have one each. */
function pointOf(name: string): string {
  const fault = FAULTS.get(name)
  if (fault?.onRequest) return 'request'
  if (fault?.onResponse) return 'response'
  return fault?.onPush || fault?.onData ? 'data' : `socket ${name}`
}

// What is drawn, with its weights.

const fault = (
  name: string,
  weights: Weights,
  on: (random: RandomSource, drawing: Drawing) => Action['on'],
  settings?: (random: RandomSource, drawing: Drawing) => object,
): Draw => ({
  name,
  weights,
  draw(random, drawing) {
    const given = settings?.(random, drawing)
    const selector = on(random, drawing)
    return {
      for: lasting(random, drawing),
      fault: given === undefined ? name : { [name]: given },
      ...(selector === undefined ? {} : { on: selector }),
    }
  },
})

/** Rules on requests and upgrades: all of them, or every second or third. */
const onAll = () => undefined
const onRequests = (random: RandomSource): Action['on'] => {
  const everyNth = random.pick([1, 2, 3])
  return everyNth === 1 ? { operation: '*' } : { operation: '*', everyNth }
}
const onSockets = (): Action['on'] => ({ channel: '*' })
const STATES = ['l2Book', 'bbo'] as const
const EVENTS = ['trades', 'candle', 'userFills', '*'] as const
const onFeed = (random: RandomSource, drawing: Drawing): Action['on'] => {
  const channel = random.pick([...STATES, ...EVENTS])
  if (channel === '*' || channel === 'userFills' || random.chance(0.5)) return { channel }
  return { channel, coin: random.pick(drawing.coins) }
}
/** A lost event leaves no trace: only a state that does not come can be noticed. */
const onState = (random: RandomSource, { coins }: Drawing): Action['on'] => {
  const channel = random.pick(STATES)
  return random.chance(0.5) ? { channel } : { channel, coin: random.pick(coins) }
}
const onBook = (random: RandomSource, { coins }: Drawing): Action['on'] =>
  random.chance(0.5) ? { channel: 'l2Book' } : { channel: 'l2Book', coin: random.pick(coins) }

const severe = (random: RandomSource, { level }: Drawing, calm: number, violent: number) =>
  level === 'calm' ? calm : random.between(calm, level === 'stormy' ? violent >> 1 : violent)

const FAULT_DRAWS: readonly Draw[] = [
  fault('disconnect', [3, 5, 6], onAll, (random) => ({
    code: random.pick([1000, 1001, 1006, 1011, 1012]),
  })),
  fault('delay', [3, 3, 3], onRequests, (random, drawing) => ({
    ms: severe(random, drawing, 200, 8_000),
  })),
  fault('refuse', [2, 4, 4], onRequests, (random, { level }) =>
    level === 'calm' || random.chance(0.4)
      ? { as: 'rate' }
      : random.chance(0.5)
        ? { status: 503, body: 'Service Unavailable', headers: { 'retry-after': '2' } }
        : { as: random.pick(['permission', 'signature', 'quota'] as const) },
  ),
  fault('refuse', [0, 2, 3], onSockets, (random) => ({ status: random.pick([429, 502, 503]) })),
  fault('clock-skew', [0, 1, 2], onAll, (random) => ({ s: random.pick([-45, 20, 45]) })),
  fault('silence', [2, 4, 4], onState),
  fault('freeze', [0, 3, 4], onBook),
  fault('stale', [1, 2, 2], onBook),
  fault('repeat', [2, 3, 3], onFeed, (random) => ({ times: random.between(2, 3) })),
  fault('reorder', [0, 3, 4], onFeed),
  fault('lose-pushes', [0, 3, 4], onState, (random, drawing) => ({
    count: severe(random, drawing, 1, 10),
  })),
  fault('burst', [1, 2, 3], onFeed, (random) => ({ size: random.between(2, 20) })),
  fault('crossed-book', [0, 0, 2], onBook),
  fault('empty-book', [0, 0, 2], onBook, () => ({})),
  fault('truncate', [0, 1, 2], onRequests, () => ({})),
  fault('corrupt', [0, 2, 3], onRequests, (random) => ({
    as: random.pick(['json', 'html', 'type', 'nothing', 'null']),
  })),
  fault('drop', [1, 3, 4], onRequests, (random) => ({
    where: random.pick(['before', 'middle', 'after']),
  })),
  fault('refuse-subscriptions', [0, 1, 2], onAll),
  fault('lose-acknowledgements', [0, 2, 2], onAll),
  fault('lose-pongs', [1, 1, 1], onAll),
  fault('back-pressure', [0, 1, 2], onAll, (random) => ({ frames: random.between(5, 200) })),
]

/** Market events whose amounts fit any market of the default size. */
const EVENT_DRAWS: readonly ((random: RandomSource, coin: string) => GivenEvent)[] = [
  (random, coin) => ({
    kind: 'move',
    coin,
    pct: random.pick([-6, -3, -1, 1, 3, 6]),
    overS: random.between(5, 30),
  }),
  (random, coin) => ({ kind: 'volatility', coin, factor: random.between(2, 8), forS: 20 }),
  (random, coin) => ({ kind: 'spread', coin, factor: random.between(2, 20), forS: 20 }),
  (random, coin) => ({ kind: 'depth', coin, factor: random.pick([0.1, 0.5, 5]), forS: 20 }),
  (random, coin) => ({ kind: 'halt', coin, forS: random.between(5, 30) }),
  () => ({ kind: 'listing', coin: 'newcomer' }),
]

const KEY_DRAWS: readonly ((random: RandomSource) => NonNullable<Action['key']>)[] = [
  () => ({ status: 'disabled' }),
  () => ({ permissions: [] }),
  (random) => ({ limits: { ratePerMinute: random.between(0, 20) } }),
  (random) => ({ limits: { monthlyQuota: random.between(0, 5) } }),
  (random) => ({ limits: { maxConnections: random.between(0, 1) } }),
]

/** Open questions that a client meets while it runs. */
const LIVE_QUESTIONS: readonly QuestionId[] = [
  'over-rate',
  'over-quota',
  'republish-after',
  'stale-after',
  'stale-place',
  'trades-snapshot',
  'account-state-first',
  'user-pong',
]

const DRAWS: readonly Draw[] = [
  ...FAULT_DRAWS,
  {
    name: 'market',
    weights: [0, 0.5, 1],
    draw: (random, { coins }) => ({ market: random.pick(EVENT_DRAWS)(random, random.pick(coins)) }),
  },
  {
    name: 'key',
    weights: [0, 2, 3],
    draw: (random, drawing) => ({
      for: lasting(random, drawing),
      key: random.pick(KEY_DRAWS)(random),
    }),
  },
  {
    name: 'questions',
    weights: [1, 1, 1],
    draw(random, drawing) {
      const id = random.pick(LIVE_QUESTIONS)
      const answer = random.pick(Object.keys(QUESTIONS[id].answers))
      return { for: lasting(random, drawing), questions: { [id]: answer } }
    },
  },
  {
    name: 'jump',
    weights: [1, 2, 3],
    draw: (random, { level }) => ({
      jump: spanOf(1000 * random.between(10, level === 'calm' ? 25 : 90)),
    }),
  },
  {
    name: 'seek',
    weights: [0, 1, 2],
    draw: (random) => ({ seek: spanOf(1000 * random.between(5, 120)) }),
  },
  {
    name: 'speed',
    weights: [1, 1, 1],
    draw: (random, drawing) => ({
      for: lasting(random, drawing),
      speed: random.pick([0, 0, 5]),
    }),
  },
]
