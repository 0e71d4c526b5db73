/** Requests and frames in one timeline, and the open connections. */

import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { ConnectionRecord } from '../../../../clients/control/records.ts'
import { Choice } from '../../parts/choice.tsx'
import { ICONS } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useFetched, virtualTime } from '../../session/asking.ts'
import { session } from '../../session/connection.ts'
import { numberText } from '../../shell/formats.ts'
import type { View } from '../../shell/route.ts'
import { changeQuery, linkTo, route } from '../../shell/route.ts'
import { JournalFeed } from './journal-feed.ts'
import { Timeline } from './timeline.tsx'
import { say } from './words.ts'

export const trafficView: View = {
  id: 'traffic',
  group: 'debug',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.traffic,
  component: Traffic,
}

function Traffic() {
  const part = route.value.query.part === 'connections' ? 'connections' : 'timeline'
  const isOwnShown = route.value.query.own === 'shown'
  const feed = useJournal(isOwnShown)
  const choice = (
    <Choice
      label={say('title')}
      value={part}
      options={[
        { value: 'timeline', text: say('timeline') },
        { value: 'connections', text: say('connections') },
      ]}
      onPick={(picked) => changeQuery({ part: picked === 'timeline' ? null : picked })}
    />
  )
  const parts = (
    <>
      <label class="own-traffic" title={say('ownAbout')}>
        <input
          type="checkbox"
          checked={isOwnShown}
          onChange={() => changeQuery({ own: isOwnShown ? null : 'shown' })}
        />{' '}
        {say('own')}
      </label>
      {choice}
    </>
  )
  return part === 'timeline' ? (
    <Timeline feed={feed} parts={parts} />
  ) : (
    <Connections parts={parts} isOwnShown={isOwnShown} />
  )
}

/** Restarts with each sandbox, key and restart of the server. */
function useJournal(isOwnShown: boolean): JournalFeed {
  const current = session.value
  const feed = useMemo(() => new JournalFeed(), [current, isOwnShown])
  useEffect(() => {
    if (current === null) return undefined
    const ending = new AbortController()
    void feed.follow(current.control, ending.signal, { console: isOwnShown })
    return () => ending.abort()
  }, [current, feed])
  return feed
}

// Open sockets: subscriptions of each, and reasons for silence or closing.

/** Idle time after which a connection is closed, ms. */
const IDLE_MS = 60_000
const SOON_MS = 15_000

function Connections({ parts, isOwnShown }: { parts: ComponentChildren; isOwnShown: boolean }) {
  const connections = useFetched(({ control }) => control.connections.list(), { everyMs: 1000 })
  const isHidden = ({ via }: ConnectionRecord) => via !== null && !isOwnShown
  return (
    <Panel title={say('connections')} tools={parts}>
      <Shown
        of={connections}
        isEmpty={(list) => list.every(isHidden)}
        emptyText={say('noConnections')}
      >
        {(list) => (
          <div class="connections">
            {list
              .filter((one) => !isHidden(one))
              .map((one) => (
                <Connection key={one.connection} of={one} />
              ))}
          </div>
        )}
      </Shown>
    </Panel>
  )
}

function Connection({ of }: { of: ConnectionRecord }) {
  const nowMs = virtualTime.value?.sessionMs ?? of.lastMessageMs
  const leftMs = Math.max(0, of.closesMs - nowMs)
  const figures: [string, string, boolean][] = [
    [say('key'), of.key ?? say('noKey'), false],
    [say('lastMessage'), secondsText(nowMs - of.lastMessageMs), false],
    [say('queued'), numberText(of.queued), of.queued > 0],
    [say('sent'), numberText(of.sent), false],
    [say('discarded'), numberText(of.discarded), of.discarded > 0],
  ]
  return (
    <section class="connection" aria-label={say('connection', { number: of.connection })}>
      <header>
        <h3>
          {say('connection', { number: of.connection })} <span class="mono faint">{of.path}</span>
        </h3>
        <a href={linkTo('traffic', [], { text: `connection:${of.connection}` })}>
          {say('showIts')}
        </a>
      </header>
      <label class={leftMs < SOON_MS ? 'idle soon' : 'idle'}>
        {say('closesIn')} {secondsText(leftMs)}
        <meter min={0} max={IDLE_MS} low={SOON_MS} optimum={IDLE_MS} value={leftMs} />
      </label>
      <dl class="figure-list">
        {figures.map(([name, value, isBad]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={isBad ? 'warn' : ''}>{value}</dd>
          </div>
        ))}
      </dl>
      <ul class="streams">
        {of.streams.map((stream) => (
          <li key={JSON.stringify(stream.subscription) + stream.channel}>
            <strong>{stream.channel}</strong>{' '}
            <span class="mono">{wantedText(stream.subscription)}</span>
            <span class="spring" />
            <span class="faint">
              {say('silent')} {secondsText(stream.silentMs)}
            </span>
            {stream.sourceAgeMs !== null && (
              <span class={stream.stale ? 'badge warn' : 'badge'}>
                {stream.stale ? say('stale') : say('fresh')} · {secondsText(stream.sourceAgeMs)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const secondsText = (ms: number): string =>
  say('seconds', { s: Math.max(0, Math.round(ms / 1000)) })

const wantedText = (subscription: Readonly<Record<string, unknown>>): string =>
  Object.entries(subscription)
    .filter(([name]) => name !== 'type')
    .map(([, value]) => String(value))
    .join(' ')
