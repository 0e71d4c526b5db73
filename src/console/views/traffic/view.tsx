/** Requests and frames in one timeline, and the connections that are open. */
import { useEffect, useMemo } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { ICONS } from '../../parts/icons.ts'
import { session } from '../../session/connection.ts'
import { changeQuery, route } from '../../shell/route.ts'
import type { View } from '../../shell/view.ts'
import { Connections } from './connections.tsx'
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
  const feed = useJournal()
  const parts = (
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
  return part === 'timeline' ? (
    <Timeline feed={feed} parts={parts} />
  ) : (
    <Connections parts={parts} />
  )
}

/** Begins anew with each sandbox, key and restart of the server. */
function useJournal(): JournalFeed {
  const current = session.value
  const feed = useMemo(() => new JournalFeed(), [current])
  useEffect(() => {
    if (current === null) return undefined
    const ending = new AbortController()
    void feed.follow(current.control, ending.signal)
    return () => ending.abort()
  }, [current, feed])
  return feed
}
