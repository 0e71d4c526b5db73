/** Positions of a coin that were liquidated in the last hour, newest first. */
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { useAsked } from '../../session/asking.ts'
import { era } from '../../session/era.ts'
import { dollarText, numberText, timeText } from '../../shell/formats.ts'
import { AddressLink } from '../traders/address-link.tsx'
import { say } from './words.ts'

/** So many of the largest. */
const MOST = 50

export function FallingLiquidations({ coin }: { coin: string }) {
  const asked = useAsked(
    async ({ account }) => {
      const rows = await account.perpdex.liquidationsTopPositions({
        query: { coin, interval: '1h', limit: MOST },
      })
      return rows.sort((a, b) => b.time - a.time)
    },
    { of: [coin, era.value], everyMs: 1500 },
  )
  return (
    <Panel title={say('falling')} class="falling" isFlush>
      <Shown of={asked} isEmpty={({ length }) => length === 0} emptyText={say('noLiquidations')}>
        {(rows) => (
          <Table
            label={say('falling')}
            rows={rows}
            keyOf={({ oid, time, address }) => `${oid} ${time} ${address}`}
            columns={[
              { title: say('time'), cell: ({ time }) => timeText(time) },
              {
                title: say('side'),
                cell: ({ direction }) => (
                  <span class={direction === 'long' ? 'down' : 'up'}>{say(direction)}</span>
                ),
              },
              {
                title: say('value'),
                isNumber: true,
                cell: ({ liquidatedVal }) => dollarText(liquidatedVal),
              },
              {
                title: say('price'),
                isNumber: true,
                isMinor: true,
                cell: ({ liqPrice }) => numberText(liqPrice),
              },
              { title: say('loss'), isNumber: true, cell: ({ pnl }) => dollarText(pnl) },
              { title: say('trader'), cell: ({ address }) => <AddressLink address={address} /> },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}
