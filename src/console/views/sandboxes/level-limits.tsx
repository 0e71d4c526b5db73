/** The limits of levels, as the first rows of their table. */
import type { LevelConfig } from '../../../client/contract/records.ts'
import { say } from './words.ts'

export interface LevelLimitsProps {
  levels: readonly { name: string; config: LevelConfig }[]
  onChange(name: string, config: LevelConfig): void
}

const LIMITS = [
  ['request_rate_limit', 'ratePerMinute'],
  ['max_request', 'perMonth'],
  ['max_time_range', 'rangeS'],
] as const

export function LevelLimits({ levels, onChange }: LevelLimitsProps) {
  return (
    <>
      {LIMITS.map(([field, text]) => (
        <tr key={field}>
          <th scope="row">{say(text)}</th>
          {levels.map(({ name, config }) => (
            <td key={name}>
              <input
                type="number"
                min={0}
                aria-label={`${say(text)}: ${name}`}
                value={config.request_limits[field]}
                onChange={({ currentTarget }) => {
                  const limits = { ...config.request_limits, [field]: Number(currentTarget.value) }
                  onChange(name, { ...config, request_limits: limits })
                }}
              />
            </td>
          ))}
        </tr>
      ))}
    </>
  )
}
