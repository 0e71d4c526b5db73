/** A coin: candles, book and trades, live. */
import { Choice } from '../../parts/choice.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ICONS } from '../../parts/icons.ts'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { useAsked } from '../../session/asking.ts'
import { changeQuery, route } from '../../shell/route.ts'
import type { View } from '../../shell/view.ts'
import { say } from './words.ts'

export const marketView: View = {
  id: 'market',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.chart,
  component: Market,
}

function Market() {
  const tickers = useAsked(({ account }) => account.perpdex.tickers(), { everyMs: 2000 })
  const form = route.value.query.form === 'list' ? 'list' : 'table'
  const tools = (
    <Choice
      label={say('title')}
      value={form}
      options={[
        { value: 'table', text: say('table') },
        { value: 'list', text: say('list') },
      ]}
      onPick={(picked) => changeQuery({ form: picked })}
    />
  )
  return (
    <Panel title={say('title')} isFlush tools={tools}>
      <Shown of={tickers}>
        {(rows) =>
          form === 'list' ? (
            <div style={{ height: '20rem', display: 'flex' }}>
              <VirtualList label={say('title')} rows={rows} rowPx={26} keyOf={({ coin }) => coin}>
                {({ coin }) => coin}
              </VirtualList>
            </div>
          ) : (
            <Table
              label={say('title')}
              rows={rows}
              keyOf={({ coin }) => coin}
              columns={[
                { title: say('coin'), cell: ({ coin }) => coin },
                { title: say('price'), isNumber: true, cell: ({ price }) => price },
                { title: '', cell: ({ coin }) => <CopyButton text={coin} of={coin} /> },
              ]}
            />
          )
        }
      </Shown>
    </Panel>
  )
}
