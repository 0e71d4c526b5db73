/** Schemas of the stored parts of a sandbox's state. */

import { LevelConfig } from '../../contract/records/distributor.ts'
import { Nullable, OneOf, type Static, type TObject, Type } from '../../contract/schema.ts'
import { MOOD_NAMES } from '../../market/synth/mood.ts'
import { DELIVERIES } from '../playhead.ts'

type Properties = TObject['properties']
const Exactly = <T extends Properties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false })

const Text = Type.String()
const WholeNumber = Type.Integer({ minimum: 0 })
/** An instant or a length, ms; until the year 5138. */
const Ms = Type.Number({ minimum: 0, maximum: 1e14 })
const AnyMs = Type.Number({ minimum: -1e14, maximum: 1e14 })
const MaybeMaximum = Nullable(WholeNumber)
const Speed = Type.Union([Type.Number({ minimum: 0, maximum: 10_000 }), Type.Literal('max')])
const ClockState = OneOf(['running', 'held'], 'clock')
const DeliveryMode = OneOf([...DELIVERIES], 'delivery')
const EndBehaviour = OneOf(['continue', 'hold', 'loop'], 'end')

export const SavedKey = Exactly({
  accessKey: Text,
  secretKey: Text,
  kind: OneOf(['full', 'partner', 'sub', 'direct'], 'sort of key'),
  name: Text,
  distributor: Nullable(Text),
  level: Nullable(Text),
  grants: Nullable(Type.Array(Text)),
  limits: Exactly({
    ratePerMinute: MaybeMaximum,
    monthlyQuota: MaybeMaximum,
    maxTimeRangeS: MaybeMaximum,
    maxConnections: MaybeMaximum,
    maxSubscriptions: MaybeMaximum,
  }),
  status: OneOf(['active', 'disabled'], 'status'),
  createdMs: Ms,
})
export type SavedKey = Static<typeof SavedKey>

const presetFields = {
  name: Text,
  level: Text,
  maxSubKeys: WholeNumber,
  maxTotalQuota: WholeNumber,
  maxConnections: MaybeMaximum,
  maxSubscriptions: MaybeMaximum,
}

export const SavedDistributor = Exactly({
  accessKey: Text,
  ...presetFields,
  levels: Type.Array(Exactly({ level: Text, config: LevelConfig })),
})
export type SavedDistributor = Static<typeof SavedDistributor>

export const SavedInvite = Exactly({
  token: Text,
  presets: Exactly(presetFields),
  usedBy: Nullable(Text),
})

export const SavedAlert = Exactly({
  accessKey: Text,
  id: WholeNumber,
  subType: Text,
  symbol: Text,
  remark: Text,
  shownMs: AnyMs,
  price: Text,
})

export const SavedUsage = Exactly({
  name: Text,
  month: Type.Integer(),
  inMonth: WholeNumber,
  minute: Type.Integer(),
  inMinute: WholeNumber,
})

export const SavedNonce = Exactly({ name: Text, untilMs: Ms })

export const SavedVenueWeight = Exactly({
  minute: Type.Integer(),
  spent: Type.Number({ minimum: 0 }),
})

const SavedClock = Exactly({
  state: ClockState,
  nowMs: Ms,
  wallMs: Ms,
  adjustments: Type.Array(Exactly({ machineMs: Ms, movedMs: AnyMs, running: Type.Boolean() }), {
    minItems: 1,
  }),
})

const SavedPlayhead = Exactly({
  sessionMs: Ms,
  travelledMs: Ms,
  speed: Speed,
  shiftMs: AnyMs,
  end: EndBehaviour,
})

const JournalSettings = Exactly({ on: Type.Boolean(), maxBytes: WholeNumber })

const Word = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 })

const SavedRule = Exactly({
  matchCount: WholeNumber,
  actionCount: WholeNumber,
  words: Exactly({ x: Word, y: Word, z: Word, counter: Word }),
  spent: Type.Array(Exactly({ accessKey: Text, month: Type.Integer(), requests: WholeNumber })),
})

const savedScenario = { name: Text, source: Type.Unknown() }

/** Clock, playhead, counters and initial keys. */
export const SavedProgress = Exactly({
  clock: SavedClock,
  playhead: SavedPlayhead,
  /** A state without it has `paced`. */
  delivery: Type.Optional(DeliveryMode),
  bookmarks: Type.Array(Exactly({ bookmark: Text, atMs: Ms })),
  journal: JournalSettings,
  scenarios: Type.Optional(
    Type.Array(
      Exactly({
        ...savedScenario,
        sessionMs: AnyMs,
        tapeMs: AnyMs,
        /** The counters of its rules, in their order. */
        rules: Type.Optional(Type.Array(SavedRule)),
      }),
    ),
  ),
  /** Its market events, in order. */
  marketEvents: Type.Optional(
    Type.Array(
      Exactly({
        event: Type.Unknown(),
        askedMs: Ms,
        fromMs: Ms,
        scenario: Nullable(Text),
      }),
    ),
  ),
  mintedCount: WholeNumber,
  lastAlertId: WholeNumber,
  initialKeys: Exactly({ full: SavedKey, partner: SavedKey, sub: SavedKey, bare: SavedKey }),
  inviteToken: Text,
})
export type SavedProgress = Static<typeof SavedProgress>

/** The options that a sandbox was created with. */
export const SavedOptions = Exactly({
  name: Text,
  /** Seed of its names and secrets. */
  identitySeed: Type.Integer(),
  tape: Type.Optional(Text),
  seed: Type.Optional(Type.Integer()),
  at: Type.Optional(Ms),
  speed: Type.Optional(Speed),
  end: Type.Optional(EndBehaviour),
  epoch: Type.Optional(OneOf(['live', 'tape'], 'epoch')),
  delivery: Type.Optional(DeliveryMode),
  clock: Type.Optional(ClockState),
  now: Type.Optional(Ms),
  questions: Type.Record(Text, Text),
  strict: Type.Optional(Type.Boolean()),
  signatureTime: Type.Optional(OneOf(['machine', 'session'], 'signatureTime')),
  profile: Type.Optional(OneOf(['contract', 'raw'], 'profile')),
  metering: Type.Optional(OneOf(['on', 'off'], 'metering')),
  journal: Type.Optional(Type.Partial(JournalSettings)),
  idleMs: Type.Optional(Ms),
  magic: Type.Optional(OneOf(['on', 'off'], 'magic')),
  mood: Type.Optional(OneOf([...MOOD_NAMES], 'mood')),
  replay: Type.Optional(Text),
  miss: Type.Optional(OneOf(['world', 'refuse', 'upstream'], 'miss')),
  scenarios: Type.Optional(Type.Array(Exactly(savedScenario))),
})
export type SavedOptions = Static<typeof SavedOptions>
