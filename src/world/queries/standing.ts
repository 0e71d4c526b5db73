/**
 * Everybody's accounts as they stand, for questions about all of them at once. What stood a little
 * earlier is kept and carried on, so that only the rows in between are read.
 */
import type { World } from '../world.ts'
import type { Place } from './charges.ts'
import { perWorld } from './per-world.ts'
import { type HeldValues, PurseReader, type PurseRows, rowsAt } from './purse.ts'

/** Purses of all traders as of a moment, each as `PurseReader` alone would read it. */
export function standingPurses(world: World, place: Place): PurseReader {
  return new PurseReader(world, place, standings(world).at(place.atMs))
}

/** A step forward that is worth more than reading everything anew. */
const STEP_MS = 120_000
/** Instants that are kept: sandboxes on one world stand at different ones. */
const KEPT = 4

const standings = perWorld((world) => new Standings(world))

class Standings {
  private readonly kept: Standing[] = []

  constructor(private readonly world: World) {}

  at(atMs: number): PurseRows {
    const near = this.kept
      .filter((one) => one.atMs <= atMs && one.atMs >= atMs - STEP_MS)
      .sort((a, b) => b.atMs - a.atMs)[0]
    const standing = near ?? new Standing(this.world, atMs)
    standing.advance(atMs)
    // The one that was asked for last stands first.
    this.kept.splice(0, this.kept.length, standing, ...this.kept.filter((one) => one !== standing))
    this.kept.splice(KEPT)
    return standing
  }
}

class Standing implements PurseRows {
  private readonly cashes = new Map<number, number>()
  private readonly holdings = new Map<string, HeldValues>()

  constructor(
    private readonly world: World,
    public atMs: number,
  ) {
    const rows = rowsAt(world, atMs)
    const { accounts, pairs } = everybody(world)
    for (const account of accounts) this.cashes.set(account, rows.cash(account))
    for (const [trader, instrument] of pairs) {
      const held = rows.held(trader, instrument)
      if (held) this.holdings.set(`${trader}/${instrument}`, held)
    }
  }

  cash(account: number): number {
    return this.cashes.get(account) ?? 0
  }

  held(trader: number, instrument: number): HeldValues | undefined {
    return this.holdings.get(`${trader}/${instrument}`)
  }

  advance(toMs: number): void {
    const { fills, ledger } = statements(this.world)
    const changed = fills.values(this.atMs, toMs) as [number, number, number, ...HeldValues][]
    for (const [trader, instrument, , ...held] of changed)
      this.holdings.set(`${trader}/${instrument}`, held)
    const entries = ledger.values(this.atMs, toMs) as [number][]
    const accounts = new Set([...changed.map((row) => row[2]), ...entries.map(([one]) => one)])
    const rows = rowsAt(this.world, toMs)
    for (const account of accounts) this.cashes.set(account, rows.cash(account))
    this.atMs = toMs
  }
}

/** All accounts, and the instruments that each trader ever holds. */
const everybody = perWorld(({ db }) => ({
  accounts: (db.prepare('select id from account').values() as [number][]).map(([id]) => id),
  pairs: db.prepare('select distinct trader, instrument from fill').values() as [number, number][],
}))

const statements = perWorld(({ db }) => ({
  fills: db.prepare(
    `select trader, instrument, account, positionAfter, costAfter, fundingAfter, fundingAtOpen,
     fundingIndex, leverage, isolated from fill where timeMs > ? and timeMs <= ?
     order by timeMs, id`,
  ),
  ledger: db.prepare('select distinct account from ledger where timeMs > ? and timeMs <= ?'),
}))
