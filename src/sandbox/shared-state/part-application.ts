/** Applies changes of another replica to a running sandbox, or takes back its own. */
import type { SavedClock } from '../../clock/session-clock.ts'
import { awaited, type Slices } from '../../clock/turns.ts'
import type { LoadedWorld } from '../loaded-world.ts'
import type { SavedEvent } from '../market-events/event-request.ts'
import type { SavedPlayhead } from '../playhead.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SavedRule } from '../scenario/scenario-run.ts'
import { apiKeyOf } from '../snapshot/restoration.ts'
import { restoredScenario, type SandboxState } from '../snapshot/sandbox-state.ts'
import { savedProgressOf } from '../snapshot/state-parts.ts'
import type { SavedDistributor, SavedKey, SavedProgress } from '../snapshot/state-schema.ts'

/** A part with its value; null where it is gone. A field of the progress is a part of its own. */
export interface PartChange {
  kind: string
  id: string
  value: unknown
}

/** The market of a sandbox with given events. */
export type MarketOf = (progress: SavedProgress) => Promise<LoadedWorld>

/** Applies changes that were made at one time, in the order in which they can be followed. */
export function* applyParts(
  sandbox: Sandbox,
  changes: readonly PartChange[],
  marketOf: MarketOf,
): Slices<void> {
  for (const { kind, id, value } of changes) applyTenantPart(sandbox, kind, id, value)
  const progress = changes.filter(({ kind }) => kind === 'progress')
  for (const name of PROGRESS_ORDER)
    for (const { id, value } of progress)
      if (id === name) yield* applyProgress(sandbox, name, value, marketOf)
}

function applyTenantPart(
  { tenancy, alerts, nonces, venueWeight }: Sandbox,
  kind: string,
  id: string,
  value: unknown,
): void {
  switch (kind) {
    case 'key':
      if (value === null) tenancy.removeKey(id)
      else tenancy.addKey(apiKeyOf(value as SavedKey))
      return
    case 'distributor': {
      const before = tenancy.distributors.get(id)
      for (const name of [...(before?.levels.keys() ?? [])])
        before && tenancy.deleteLevel(before, name)
      if (value === null) return void tenancy.distributors.delete(id)
      const { levels, accessKey, ...presets } = value as SavedDistributor
      const distributor = tenancy.addDistributor({ accessKey }, presets)
      for (const { level, config } of levels) tenancy.putLevel(distributor, level, config)
      return
    }
    case 'invite': {
      if (value === null) return void tenancy.invites.delete(id)
      const { token, presets, usedBy } = value as SandboxState['invites'][number]
      tenancy.addInvite(token, presets).usedBy = usedBy
      return
    }
    case 'alert': {
      const others = alerts.list().filter((one) => String(one.id) !== id)
      const list = value === null ? others : [...others, value as SandboxState['alerts'][number]]
      alerts.restore(
        alerts.lastId,
        list.sort((one, other) => one.id - other.id),
      )
      return
    }
    case 'nonce':
      if (value === null) nonces.delete(id)
      else nonces.set(id, (value as SandboxState['nonces'][number]).untilMs)
      return
    case 'venueWeight':
      venueWeight.restore(value as SandboxState['venueWeight'])
  }
}

/**
 * A scenario may have moved the playhead, and a move of the clock that leaves the market in place
 * has set the playhead before: the clock is last.
 */
const PROGRESS_ORDER: readonly (keyof SavedProgress)[] = [
  'mintedCount',
  'lastAlertId',
  'bookmarks',
  'journal',
  'delivery',
  'marketEvents',
  'playhead',
  'scenarios',
  'clock',
]

function* applyProgress(
  sandbox: Sandbox,
  name: keyof SavedProgress,
  value: unknown,
  marketOf: MarketOf,
): Slices<void> {
  const { tenancy, alerts, bookmarks, journal, delivery } = sandbox
  const saved = { [name]: value } as unknown as SavedProgress
  switch (name) {
    case 'mintedCount':
      tenancy.mintedCount = saved.mintedCount
      return
    case 'lastAlertId':
      alerts.lastId = saved.lastAlertId
      return
    case 'bookmarks':
      bookmarks.clear()
      for (const { bookmark, atMs } of saved.bookmarks) bookmarks.set(bookmark, atMs)
      return
    case 'journal':
      journal.set(saved.journal)
      return
    case 'delivery':
      delivery.mode = saved.delivery ?? 'paced'
      return
    case 'marketEvents':
      return yield* followEvents(sandbox, saved.marketEvents ?? [], marketOf)
    case 'playhead':
      return yield* followPlayhead(sandbox, saved.playhead)
    case 'scenarios':
      return sandbox.faultInjection.follow(
        (saved.scenarios ?? []).map(({ name: title, source, rules = [], ...startedAt }) => ({
          scenario: restoredScenario({ name: title, source }),
          startedAt,
          rules: rules as SavedRule[],
        })),
      )
    case 'clock':
      return yield* followClock(sandbox, saved.clock)
  }
}

/** Moves a clock to where another one is, playing what falls due; it never goes back. */
export function* followClock({ clock, systemClock }: Sandbox, saved: SavedClock): Slices<void> {
  const ranMs = saved.state === 'running' ? systemClock.nowMs() - saved.wallMs : 0
  const nowMs = Math.max(clock.nowMs(), saved.nowMs + Math.max(0, ranMs))
  yield* clock.setting({ nowMs, state: saved.state })
  clock.restore(saved)
}

/** A position that differs is sought, so that subscribers see where they are. */
function* followPlayhead({ playhead, player, clock }: Sandbox, saved: SavedPlayhead): Slices<void> {
  player.catchUp()
  const nowMs = clock.nowMs()
  const before = playhead.positionAt(nowMs)
  playhead.restore(saved)
  const after = playhead.positionAt(nowMs)
  const isNear = Math.abs(after.atMs - before.atMs) <= NEAR_MS && after.lap === before.lap
  if (isNear) return player.reposition()
  yield* player.prepare(after.atMs)
  const settling = player.seek()
  if (settling) yield* settling
}

/** Replicas set a running playhead at slightly different instants. */
const NEAR_MS = 50

function* followEvents(
  sandbox: Sandbox,
  saved: readonly SavedEvent[],
  marketOf: MarketOf,
): Slices<void> {
  const { player, marketEvents } = sandbox
  player.pause()
  try {
    const progress = { ...savedProgressOf(sandbox), marketEvents: [...saved] }
    const world = yield* awaited(marketOf(progress))
    if (world !== sandbox.world) sandbox.join(world)
    marketEvents.restore(saved)
  } finally {
    player.resume()
  }
}
