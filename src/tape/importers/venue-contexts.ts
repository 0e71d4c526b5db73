import type { EventDraft, Instrument } from '../tape-event.ts'
import { LeftOut } from './bad-rows.ts'
import { decimalText, scaled } from './contract-size.ts'
import { readTimeMs } from './csv-cells.ts'
import { DecimalReader } from './decimal-reader.ts'
import type { Importer, RecordingReader } from './importer.ts'
import { guessInstrument } from './market-symbol.ts'
import type { Sample } from './sample.ts'
import { cellNumber, TableColumns, type TableRow } from './table-row.ts'

const NEEDED = ['time', 'coin', 'funding', 'open_interest', 'oracle_px', 'mark_px'] as const

/**
 * The perpetual venue's archive of asset contexts: a file a day, a row a minute and coin.
 *
 * Funding is the raw hourly rate, open interest is in coins, times are ISO 8601, UTC.
 *
 * @see https://hyperliquid.gitbook.io/hyperliquid-docs/historical-data
 */
export const venueContexts: Importer = {
  name: 'venue-contexts',
  order: 'merged',
  container: 'table',
  recognises: ({ columns }) => NEEDED.every((name) => columns?.includes(name)),
  createReader: () => new ContextReader(),
}

class ContextReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly decimals = new DecimalReader(true, this.leftOut)
  private readonly coins = new Set<string>()
  private columns: TableColumns | null = null

  begin(file: Sample): void {
    this.columns = new TableColumns(file, NEEDED)
  }

  record(row: TableRow): EventDraft[] {
    const { columns } = this
    columns?.check(row)
    const cell = (name: string) => row.cell(columns?.place(name) ?? -1)
    const number = (name: string) => {
      const text = cellNumber(cell(name))
      return text === null ? null : this.decimals.decimal(text, true)
    }
    const time = readTimeMs(cell('time'), 'auto')
    const coin = cell('coin')
    this.coins.add(coin)
    const [rate, premium, mark] = [number('funding'), number('premium'), number('mark_px')]
    const [oracle, openInterest] = [number('oracle_px'), number('open_interest')]
    const drafts: EventDraft[] = []
    if (rate !== null)
      drafts.push({ time, kind: 'funding', coin, data: premium ? { rate, premium } : { rate } })
    if (mark !== null && oracle !== null)
      drafts.push({ time, kind: 'mark', coin, data: { mark, oracle } })
    if (openInterest !== null) drafts.push({ time, kind: 'interest', coin, data: { openInterest } })
    return drafts
  }

  end(): EventDraft[] {
    return []
  }

  instruments(): Instrument[] {
    return [...this.coins].map((coin) =>
      guessInstrument(coin, 'USDC', this.decimals.decimals(coin)),
    )
  }
}

/** Decimals of a rate: finer than any exchange publishes. */
const DECIMALS = 12

/** Converts a funding rate over some hours to an hourly one, truncated to 12 decimals. */
export function hourlyRate(rate: string, hours: number): string {
  if (hours === 1) return rate
  const minus = rate.startsWith('-') ? '-' : ''
  const { units, decimals } = scaled(rate.slice(minus.length))
  const shifted = units * 10n ** BigInt(DECIMALS)
  const each = decimalText(shifted / (BigInt(hours) * 10n ** BigInt(decimals)), DECIMALS)
  return each === '0' ? each : `${minus}${each}`
}
