/** Which of a socket's subscriptions a push belongs to: frames do not name them. */
import type { FollowedSubscription, RecordedPush } from '../socket-follower.ts'

/** Those whose keys the data shows, or does not contradict. */
export function subscriptionsOf({ channel, data, socket }: RecordedPush): FollowedSubscription[] {
  const ofChannel = [...socket.subscriptions.values()].filter((one) => one.channel.id === channel)
  const shown = shownIn(data)
  const fitting = ofChannel.filter(({ channel: { key }, subscription }) =>
    key.every((field) => {
      const names = NAMES[field]
      const value = names?.map((name) => shown[name]).find((one) => one !== undefined)
      return value === undefined || isSame(value, subscription[field])
    }),
  )
  return fitting.length > 1 && channel === 'l2Book' ? [roundedAs(fitting, shown)] : fitting
}

/** What the data of pushes calls the key of a subscription. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  coin: ['coin', 's'],
  interval: ['i'],
  user: ['user'],
  address: ['address'],
  dex: ['dex'],
}

const isSame = (value: unknown, wanted: unknown): boolean =>
  String(value).toLowerCase() === String(wanted ?? '').toLowerCase()

function shownIn(data: unknown): Record<string, unknown> {
  const first = Array.isArray(data) ? data[0] : data
  return typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {}
}

/** Of books that are rounded differently: the coarsest that all prices fit. */
function roundedAs(
  fitting: readonly FollowedSubscription[],
  { levels }: Record<string, unknown>,
): FollowedSubscription {
  const prices = Array.isArray(levels) ? levels.flat().map(({ px }) => String(px)) : []
  const digits = Math.max(0, ...prices.map(significantDigits))
  const sorted = fitting.toSorted((a, b) => figuresOf(a) - figuresOf(b))
  return sorted.find((one) => digits <= figuresOf(one)) ?? (sorted.at(-1) as FollowedSubscription)
}

const figuresOf = ({ subscription }: FollowedSubscription): number =>
  typeof subscription.nSigFigs === 'number' ? subscription.nSigFigs : Number.POSITIVE_INFINITY

const significantDigits = (px: string): number =>
  px.replace(/\.0*$/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length
