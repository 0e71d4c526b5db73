import { type RandomSource, type RandomState, randomSourceOf } from '../../random/random-source.ts'
import { lognormal } from './distributions.ts'

/** Parents at work at once. The fewer, the more often the next order has the same side. */
const PARENTS = 3
/** Tail of the number of children, so that the sides' memory falls with the root of the lag. */
const TAIL_EXPONENT = 1.5
const CHILDREN_MOST = 1500
/** Spread of the children's size from parent to parent, and within one. */
const SIZE_SIGMA = { parents: 1.1, children: 0.45 }

/** A large order that is worked in children of one side. */
export interface ParentOrder {
  /** 1 buys, -1 sells. */
  sign: 1 | -1
  children: number
  /** Median size of a child, dollars. */
  childUsd: number
}

/** Parents of one instrument as plain data. */
export interface ParentState {
  random: RandomState
  parents: ParentOrder[]
}

/** Parents as they are met at any time: long ones have been at work for long. */
export function newParents(random: RandomState, childUsd: number): ParentState {
  const source = randomSourceOf(random)
  const parents = Array.from({ length: PARENTS }, () => {
    // What is left of the parent that an instant falls into has the tail of the mean beyond it.
    const children = tailed(source, TAIL_EXPONENT - 1)
    return { sign: signOf(source, 0), children, childUsd: childSize(source, childUsd) }
  })
  return { random, parents }
}

/** The parents of one instrument, of which each order executes a child. */
export class ParentOrders {
  private readonly random: RandomSource

  constructor(
    private readonly state: ParentState,
    private readonly childUsd: number,
  ) {
    this.random = randomSourceOf(state.random)
  }

  /** The next child: its sign and its dollars. `bias` moves the side of parents yet to come. */
  next(bias: number): { sign: 1 | -1; usd: number } {
    const { random, state } = this
    const at = random.between(0, PARENTS - 1)
    const parent = state.parents[at] ?? this.begin(bias)
    const usd = lognormal(random, parent.childUsd, SIZE_SIGMA.children)
    const { sign } = parent
    parent.children--
    if (parent.children <= 0) state.parents[at] = this.begin(bias)
    return { sign, usd }
  }

  private begin(bias: number): ParentOrder {
    const { random } = this
    const sign = signOf(random, bias)
    const children = tailed(random, TAIL_EXPONENT)
    return { sign, children, childUsd: childSize(random, this.childUsd) }
  }
}

function signOf(random: RandomSource, bias: number): 1 | -1 {
  return random.chance(1 / (1 + Math.exp(-bias))) ? 1 : -1
}

/** A whole number of 1 or more whose tail falls with this exponent. */
function tailed(random: RandomSource, exponent: number): number {
  return Math.min(CHILDREN_MOST, Math.ceil((1 - random.unit()) ** (-1 / exponent)))
}

function childSize(random: RandomSource, medianUsd: number): number {
  return lognormal(random, medianUsd, SIZE_SIGMA.parents)
}
