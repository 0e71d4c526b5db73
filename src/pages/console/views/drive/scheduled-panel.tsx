/** Scheduled events of the market, and their results. */

import { signal } from '@preact/signals'
import type { MarketEventRecord } from '../../../../clients/control/records.ts'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { useFetched } from '../../session/asking.ts'
import { era, sandboxRecord } from '../../session/connection.ts'
import { dayTimeText, dollarText, percentText, signClass } from '../../shell/formats.ts'
import { kindText } from './timeline-data.ts'
import { say } from './words.ts'

/** Counts events scheduled here, which triggers a reload. */
export const scheduledCount = signal(0)

export function ScheduledPanel() {
  const requested = useFetched(async ({ control }) => (await control.market.events()).events, {
    of: [scheduledCount.value, era.value],
    everyMs: 1500,
  })
  const playhead = sandboxRecord.value?.record.playhead
  const shiftMs = playhead ? playhead.shown - playhead.at : 0
  return (
    <Panel title={say('scheduled')} class="scheduled" isFlush>
      <Shown
        of={requested}
        isEmpty={({ length }) => length === 0}
        emptyText={say('scheduledNothing')}
      >
        {(events) => (
          <Table
            label={say('scheduled')}
            rows={events.toReversed()}
            keyOf={({ id }) => id}
            columns={[
              { title: say('from'), cell: ({ from }) => dayTimeText(from + shiftMs) },
              { title: say('event'), cell: (row) => eventText(row) },
              {
                title: say('state'),
                cell: ({ state }) => (
                  <span class={`badge ${state === 'acting' ? 'warn' : ''}`}>
                    {say(state === 'done' ? 'doneState' : state)}
                  </span>
                ),
              },
              { title: say('change'), isNumber: true, cell: (row) => <Change of={row} /> },
              {
                title: say('traded'),
                isNumber: true,
                isMinor: true,
                cell: ({ outcome: [first] }) => (first ? dollarText(first.tradedUsd) : '–'),
              },
              {
                title: say('liquidated'),
                isNumber: true,
                isMinor: true,
                cell: ({ outcome: [first] }) =>
                  first
                    ? dollarText(
                        Number(first.liquidatedUsd.long) + Number(first.liquidatedUsd.short),
                      )
                    : '–',
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

/** As requested: `move BTC −6 % 90 s`. */
function eventText({ event }: MarketEventRecord): string {
  const { kind, coin, pct, usd, interestPct, factor, story } = event
  const size = [
    pct !== undefined && `${pct} %`,
    usd !== undefined && dollarText(Number(usd)),
    interestPct !== undefined && `${interestPct} %`,
    factor !== undefined && `${factor}×`,
    story,
  ].find(Boolean)
  return [kindText(kind), coin, size].filter(Boolean).map(String).join(' ')
}

function Change({ of: { outcome } }: { of: MarketEventRecord }) {
  const [first] = outcome
  if (!first?.pxBefore || !first.pxAfter) return <>–</>
  const change = Number(first.pxAfter) / Number(first.pxBefore) - 1
  return <span class={signClass(change)}>{percentText(change)}</span>
}
