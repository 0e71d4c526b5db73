/** What each key may ask and has asked, with a switch that leaves it two requests. */
import type { KeyRecord } from '../../../control-client/records.ts'
import { Gate } from '../../parts/gate.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { act } from '../../session/action.ts'
import { useAsked } from '../../session/asking.ts'
import { numberText } from '../../shell/formats.ts'
import { say } from './words.ts'

const KEYS_SHOWN = 50

export function Quotas() {
  const keys = useAsked(({ control }) => control.keys.list({ limit: KEYS_SHOWN }), {
    everyMs: 2000,
  })
  return (
    <Panel title={say('quotas')} isFlush>
      <Shown of={keys}>
        {(list) => (
          <ul class="quotas">
            {list.map((key) => (
              <Quota key={key.accessKey} of={key} onChange={keys.reload} />
            ))}
          </ul>
        )}
      </Shown>
    </Panel>
  )
}

function Quota({ of, onChange }: { of: KeyRecord; onChange(): void }) {
  const { accessKey, usage } = of
  const { monthlyQuota, ratePerMinute } = of.limits
  const change = async (fields: { used?: number; remaining?: number }, done: string) => {
    await act((control) => control.usage.set(accessKey, fields), done)
    onChange()
  }
  return (
    <li>
      <div class="quota-head">
        <strong>{accessKey}</strong>
        <span class="spring" />
        <Gate>
          {monthlyQuota != null && (
            <button
              type="button"
              onClick={() => change({ remaining: 2 }, say('leftTwo', { key: accessKey }))}
            >
              {say('leaveTwo')}
            </button>
          )}
          <button
            type="button"
            onClick={() => change({ used: 0 }, say('refilled', { key: accessKey }))}
          >
            {say('refill')}
          </button>
        </Gate>
      </div>
      <Meter name={say('month')} used={usage.month} most={monthlyQuota} />
      <Meter name={say('minute')} used={usage.minute} most={ratePerMinute} />
    </li>
  )
}

interface MeterProps {
  name: string
  used: number
  most: number | null | undefined
}

function Meter({ name, used, most }: MeterProps) {
  const text =
    most == null ? say('unlimited') : say('left', { count: numberText(Math.max(0, most - used)) })
  return (
    <label class="quota-meter">
      <span class="faint">{name}</span>
      <meter min={0} max={most || 1} high={(most || 1) * 0.9} value={most == null ? 0 : used} />
      <span>
        {numberText(used)} · {text}
      </span>
    </label>
  )
}
