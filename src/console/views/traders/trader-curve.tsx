/** What a trader's account was worth and what it has earned, over time. */
import { useMemo } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { TimeChart, type TimeSeries } from '../../parts/time-chart.tsx'
import { useAsked } from '../../session/asking.ts'
import { era } from '../../session/era.ts'
import { dollarText } from '../../shell/formats.ts'
import { changeQuery, route } from '../../shell/route.ts'
import { say } from './words.ts'

const WINDOWS = ['day', 'week', 'month', 'allTime'] as const
const CURVES = ['pnl', 'accountValue'] as const

export function TraderCurve({ address }: { address: string }) {
  const { query } = route.value
  const window = WINDOWS.find((one) => one === query.window) ?? 'month'
  const curve = CURVES.find((one) => one === query.curve) ?? 'pnl'
  const asked = useAsked(
    ({ account }) => account.perpdex.portfolio({ path: { address, window } }),
    { of: [address, window, era.value], everyMs: 5000 },
  )
  const points = asked.data?.[curve]
  const series = useMemo<TimeSeries[] | null>(
    () =>
      points === undefined
        ? null
        : [
            {
              kind: 'area',
              color: 'accent',
              points: points.map(({ time, value }) => ({
                time: time / 1000,
                value: Number(value),
              })),
            },
          ],
    [points],
  )
  return (
    <Panel
      title={say(curve === 'pnl' ? 'curve' : 'accountValue')}
      class="trader-curve"
      isFlush
      tools={
        <>
          <Choice
            label={say('what')}
            value={curve}
            options={CURVES.map((value) => ({ value, text: say(value) }))}
            onPick={(picked) => changeQuery({ curve: picked })}
          />
          <Choice
            label={say('period')}
            value={window}
            options={WINDOWS.map((value) => ({ value, text: say(value) }))}
            onPick={(picked) => changeQuery({ window: picked })}
          />
        </>
      }
    >
      <Shown of={{ ...asked, data: series }}>
        {(found) => <TimeChart label={say(curve)} series={found} text={dollarText} />}
      </Shown>
    </Panel>
  )
}
